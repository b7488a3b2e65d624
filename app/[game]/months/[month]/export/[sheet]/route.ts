import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendCsv, sendGzipCsv, sendJson } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db, downloads, readComplete } from '#app/_server/wiring.ts';
import { findMonthSource, MONTH_LISTS } from '#app/[game]/_rows/month-lists.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { type ExportRefusal, exportSheet, type SheetFile } from '#lib/evidence/export-sheet.ts';
import { parseSheet } from '#lib/evidence/rules/sheets.ts';

const MANIFEST = '.manifest.json';
const GZIP = '.gz';

/**
 * A sheet of a month with the same bytes as the command writes, the same as a gzip file, or its manifest; an incomplete one only on
 * explicit request.
 */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ game: string; month: string; sheet: string }> },
): Promise<Response> {
  const person = await requirePerson(undefined, 'database');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const asked = await params;
  const game = await requireGame(asked.game);
  const ending = [MANIFEST, GZIP].find((each) => asked.sheet.endsWith(each)) ?? '';
  const isManifest = ending === MANIFEST;
  const [month, sheet] = [parseMonth(asked.month), parseSheet(asked.sheet.slice(0, asked.sheet.length - ending.length))];
  if (month === null) return refuseFile(404, `"${asked.month}" isn’t a month. Write it as YYYY-MM.`);
  if (sheet === null) return refuseFile(404, `Sheet "${asked.sheet}" doesn’t exist.`);
  const { searchParams } = request.nextUrl;
  const isChosen = ['find', 'chip', 'recipient'].some((name) => searchParams.get(name));
  const source = isChosen ? await findMonthSource(game, month, person) : null;
  const chosen = source === null ? null : MONTH_LISTS[sheet].chooseRows(source, searchParams);
  if (chosen?.ok === false) return refuseFile(400, chosen.sentence);
  if (ending === GZIP && isChosen) return refuseFile(400, 'A gzip file has all rows. Export chosen rows as CSV.');
  const mayBeIncomplete = searchParams.get('incomplete') === '1';
  const snapshotId = parseSnapshotId(searchParams.get('snapshot'));
  if (snapshotId === null) return refuseFile(404, NO_SUCH_SNAPSHOT);
  if (snapshotId !== undefined && isChosen)
    return refuseFile(400, 'Chosen rows are those of the current snapshot. Export an earlier snapshot whole.');
  const file = await exportSheet({ db: db(), pool: downloads().pool }, game, {
    window: monthWindow(month, game.timeZone),
    sheet,
    mayBeIncomplete,
    snapshotId,
    isRendered: ending === GZIP,
    readComplete,
    ...(chosen?.only ? { only: chosen.only } : {}),
    ...(isManifest ? { hasManifest: true } : { takenBy: person.email }),
  });
  if (!file.ok) return refuse(file);
  if (isManifest) return await sendManifest(file);
  if (ending !== GZIP || file.rendered === null) return await sendCsv(file.fileName, file.bytes);
  return sendGzipCsv(request, { fileName: file.fileName, rendered: file.rendered });
}

const NO_SUCH_SNAPSHOT = 'This month has no such snapshot. Reconciliation lists the snapshots of a month.';

/** A snapshot as an address names it; undefined: none, null: no number. */
function parseSnapshotId(text: string | null): number | null | undefined {
  if (text === null) return undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

function refuse(refusal: ExportRefusal): Response {
  switch (refusal.reason) {
    case 'never_pulled':
      return refuseFile(404, 'This month is not pulled.');
    case 'no_such_snapshot':
      return refuseFile(404, NO_SUCH_SNAPSHOT);
    case 'not_rendered':
      return refuseFile(404, 'The gzip file is made once the month is complete. Try again in a minute, or export the CSV.');
    case 'incomplete':
      return refuseFile(409, ['This month has no complete snapshot, so nothing is exported as complete:', ...refusal.reasons].join('\n'));
  }
}

async function sendManifest(file: SheetFile): Promise<Response> {
  if (file.rendered === null) {
    for await (const _ of file.bytes) {
      // Read to the end: the manifest is computed from the bytes of the file.
    }
  }
  return sendJson(`${file.fileName}${MANIFEST}`, file.manifest());
}
