import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendFile } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { downloads, storedNow } from '#app/_server/wiring.ts';
import { exportRegister } from '#lib/refunds/export-register.ts';
import { refundsList } from '../refund-table.ts';

/** The register of refunds as a file: all of it, or the rows the table on the screen shows. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const person = await requirePerson('figures.read');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const game = await requireGame((await params).game);
  const source = { game, personId: person.id, mayRequest: person.may('refunds.request'), mayExport: true };
  const chosen = refundsList.chooseRows(source, request.nextUrl.searchParams);
  if (!chosen.ok) return refuseFile(400, chosen.sentence);
  const { find, chip } = chosen.request;
  const exportedAt = await storedNow();
  const filter = { find, chip, personId: person.id };
  const { fileName, text } = await exportRegister(downloads().db, game, { filter, exportedAt, exportedBy: person.email });
  return await sendFile(fileName, text);
}
