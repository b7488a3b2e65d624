import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { MANIFEST, refuseFile, refuseReason, refuseRole, sendFile, sendGzipCsv, sendManifest } from '#app/_server/send-file.ts';
import { db, downloads, readComplete } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { findMonthSource, MONTH_LISTS } from '#app/[game]/_rows/month-lists.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { type ExportRefusal, exportSheet } from '#lib/evidence/export-sheet.ts';
import { parseSheet, type SheetName } from '#lib/evidence/rules/sheets.ts';
import { formatTooManyRows } from '#lib/evidence/text.ts';

/**
 * A sheet of a month as a CSV or a spreadsheet with the same bytes as the command writes, the CSV as a gzip file, or a manifest; an
 * incomplete one only on explicit request.
 */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ game: string; month: string; sheet: string }> },
): Promise<Response> {
  const person = await requirePerson();
  const refused = refuseRole(person);
  if (refused) return refused;
  const requested = await params;
  const game = await requireGame(requested.game);
  const [month, named] = [parseMonth(requested.month), parseFile(requested.sheet)];
  if (month === null) return refuseFile(404, `"${requested.month}" isn’t a month. Write it as YYYY-MM.`);
  if (named === null) return refuseFile(404, `Sheet "${requested.sheet}" doesn’t exist.`);
  const { sheet, format, isManifest } = named;
  const { searchParams } = request.nextUrl;
  const isChosen = ['find', 'chip', 'recipient'].some((name) => searchParams.get(name));
  const source = isChosen ? await findMonthSource(game, month, person) : null;
  const chosen = source === null ? null : MONTH_LISTS[sheet].chooseRows(source, searchParams);
  if (chosen?.ok === false) return refuseFile(400, chosen.sentence);
  if (format === 'gz' && isChosen) return refuseFile(400, 'A gzip file has all rows. Export chosen rows as CSV.');
  const mayBeIncomplete = searchParams.get('incomplete') === '1';
  const snapshotId = parseSnapshotId(searchParams.get('snapshot'));
  if (snapshotId === null) return refuseReason('no_such_snapshot');
  if (snapshotId !== undefined && isChosen)
    return refuseFile(400, 'Chosen rows are those of the current snapshot. Export an earlier snapshot whole.');
  const file = await exportSheet(db(), game, {
    window: monthWindow(month, game.timeZone),
    sheet,
    format: format === 'xlsx' ? format : 'csv',
    mayBeIncomplete,
    snapshotId,
    isRendered: format === 'gz',
    readComplete,
    files: downloads().db,
    ...(chosen?.only ? { only: chosen.only } : {}),
    ...(isManifest ? { hasManifest: true } : { takenBy: person.email }),
  });
  if (!file.ok) return refuse(file);
  if (isManifest) return await sendManifest(file);
  if (format !== 'gz' || file.rendered === null) return await sendFile(file.fileName, file.bytes);
  return sendGzipCsv(request, { fileName: file.fileName, rendered: file.rendered });
}

/** A file as an address names it: `renewals`, `renewals.xlsx`, `renewals.gz`, and the manifest of the first two; null: none. */
function parseFile(name: string): { sheet: SheetName; format: 'csv' | 'xlsx' | 'gz'; isManifest: boolean } | null {
  const isManifest = name.endsWith(MANIFEST);
  const [, requested = '', format] = /^([^.]*)(?:\.(xlsx|gz))?$/.exec(isManifest ? name.slice(0, -MANIFEST.length) : name) ?? [];
  const sheet = parseSheet(requested);
  if (sheet === null || (isManifest && format === 'gz')) return null;
  return { sheet, format: format === 'xlsx' || format === 'gz' ? format : 'csv', isManifest };
}

/** A snapshot as an address names it; undefined: none, null: no number. */
function parseSnapshotId(text: string | null): number | null | undefined {
  if (text === null) return undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function refuse(refusal: ExportRefusal): Response {
  if (refusal.reason === 'too_many_rows') return refuseFile(409, formatTooManyRows(refusal.rows_max));
  if (refusal.reason !== 'incomplete') return refuseReason(refusal.reason);
  return refuseFile(409, ['This month has no complete snapshot, so nothing is exported as complete:', ...refusal.reasons].join('\n'));
}
