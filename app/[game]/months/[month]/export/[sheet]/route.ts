import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendCsv, sendJson } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { chooseRows } from '#app/[game]/_rows/choose-rows.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { exportSheet, type SheetFile } from '#lib/evidence/export-sheet.ts';
import { parseSheet } from '#lib/evidence/rules/sheets.ts';

const MANIFEST = '.manifest.json';

/** A sheet of a month as the same bytes the command writes, or its manifest; an incomplete one only when asked for by name. */
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
  if (month === null) return refuseFile(404, `"${asked.month}" is no month; write it as YYYY-MM.`);
  if (sheet === null) return refuseFile(404, `There is no sheet "${asked.sheet}".`);
  const { searchParams } = request.nextUrl;
  const chosen = await chooseRows(game, month, sheet, searchParams);
  if (!chosen.ok) return refuseFile(400, chosen.sentence);
  const mayBeIncomplete = searchParams.get('incomplete') === '1';
  const file = await exportSheet(db(), game, {
    window: monthWindow(month, game.timeZone),
    sheet,
    mayBeIncomplete,
    ...(chosen.only ? { only: chosen.only } : {}),
    ...(isManifest ? {} : { takenBy: person.email }),
  });
  if (!file.ok)
    return file.reason === 'never_pulled'
      ? refuseFile(404, 'This month was never pulled.')
      : refuseFile(409, ['No complete snapshot of this month exists, so nothing is exported as complete:', ...file.reasons].join('\n'));
  return isManifest ? sendManifest(file) : sendCsv(file);
}

async function sendManifest(file: SheetFile): Promise<Response> {
  for await (const _ of file.text) {
    // Read to its end: what the manifest states is computed from the very bytes of the file.
  }
  return sendJson(`${file.fileName}${MANIFEST}`, file.manifest());
}
