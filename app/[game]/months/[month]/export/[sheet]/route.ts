import type { NextRequest } from 'next/server';
import { monthWindow, parseMonth } from '../../../../../../lib/domain/month.ts';
import { parseSheet } from '../../../../../../lib/domain/sheets.ts';
import { exportSheet, type SheetFile } from '../../../../../../lib/operations/export/export-sheet.ts';
import { requireGame } from '../../../../../_server/game.ts';
import { requirePerson } from '../../../../../_server/session.ts';
import { db } from '../../../../../_server/wiring.ts';
import { chooseRows } from '../choose-rows.ts';

const MANIFEST = '.manifest.json';
const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/** A sheet of a month as the same bytes the command writes, or its manifest; an incomplete one only when asked for by name. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ game: string; month: string; sheet: string }> },
): Promise<Response> {
  const person = await requirePerson();
  if (!person.may('files.export'))
    return say(403, 'Your role takes no files. Nothing was changed; an administrator can give you another role.');
  const asked = await params;
  const game = await requireGame(asked.game);
  const isManifest = asked.sheet.endsWith(MANIFEST);
  const [month, sheet] = [parseMonth(asked.month), parseSheet(isManifest ? asked.sheet.slice(0, -MANIFEST.length) : asked.sheet)];
  if (month === null) return say(404, `"${asked.month}" is no month; write it as YYYY-MM.`);
  if (sheet === null) return say(404, `There is no sheet "${asked.sheet}".`);
  const { searchParams } = request.nextUrl;
  const chosen = await chooseRows(game, month, sheet, searchParams);
  if (!chosen.ok) return say(400, chosen.sentence);
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
      ? say(404, 'This month was never pulled.')
      : say(409, ['No complete snapshot of this month exists, so nothing is exported as complete:', ...file.reasons].join('\n'));
  if (isManifest) return sendManifest(file);
  return new Response(streamOf(file.text), {
    headers: {
      ...HEADERS,
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
    },
  });
}

async function sendManifest(file: SheetFile): Promise<Response> {
  for await (const _ of file.text) {
    // Read to its end: what the manifest states is computed from the very bytes of the file.
  }
  const headers = { ...HEADERS, 'Content-Disposition': `attachment; filename="${file.fileName}${MANIFEST}"` };
  return Response.json(file.manifest(), { headers });
}

/** Pieces go out as the reader takes them; a reader that goes away ends the query behind them. */
function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = text[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

function say(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });
}
