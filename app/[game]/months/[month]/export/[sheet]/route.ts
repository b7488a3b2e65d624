import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendCsv, sendJson } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { MONTH_LISTS } from '#app/[game]/_rows/month-lists.ts';
import { findMonthSource } from '#app/[game]/_rows/month-source.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { exportSheet, type SheetFile } from '#lib/evidence/export-sheet.ts';
import { parseSheet } from '#lib/evidence/rules/sheets.ts';

const MANIFEST = '.manifest.json';

/** A sheet of a month with the same bytes as the command writes, or its manifest; an incomplete one only on explicit request. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ game: string; month: string; sheet: string }> },
): Promise<Response> {
  const person = await requirePerson();
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const asked = await params;
  const game = await requireGame(asked.game);
  const isManifest = asked.sheet.endsWith(MANIFEST);
  const [month, sheet] = [parseMonth(asked.month), parseSheet(isManifest ? asked.sheet.slice(0, -MANIFEST.length) : asked.sheet)];
  if (month === null) return refuseFile(404, `"${asked.month}" isn’t a month. Write it as YYYY-MM.`);
  if (sheet === null) return refuseFile(404, `Sheet "${asked.sheet}" doesn’t exist.`);
  const { searchParams } = request.nextUrl;
  const source = await findMonthSource(game, month, person);
  const chosen = source === null ? null : MONTH_LISTS[sheet].chooseRows(source, searchParams);
  if (chosen?.ok === false) return refuseFile(400, chosen.sentence);
  const mayBeIncomplete = searchParams.get('incomplete') === '1';
  const file = await exportSheet(db(), game, {
    window: monthWindow(month, game.timeZone),
    sheet,
    mayBeIncomplete,
    ...(chosen?.only ? { only: chosen.only } : {}),
    ...(isManifest ? {} : { takenBy: person.email }),
  });
  if (!file.ok)
    return file.reason === 'never_pulled'
      ? refuseFile(404, 'This month is not pulled.')
      : refuseFile(409, ['This month has no complete snapshot, so nothing is exported as complete:', ...file.reasons].join('\n'));
  return isManifest ? sendManifest(file) : sendCsv(file);
}

async function sendManifest(file: SheetFile): Promise<Response> {
  for await (const _ of file.text) {
    // Read to the end: the manifest is computed from the bytes of the file.
  }
  return sendJson(`${file.fileName}${MANIFEST}`, file.manifest());
}
