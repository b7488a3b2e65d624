import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendFile } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { downloads, storedNow } from '#app/_server/wiring.ts';
import { exportDeliveries } from '#lib/webhooks/export-deliveries.ts';
import { deliveriesList } from '../delivery-table.ts';

interface Context {
  params: Promise<{ game: string }>;
}

/** The deliveries as a file: all of them, or the rows the table on the screen shows. Facts about each, never its bytes. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const person = await requirePerson('deliveries.read');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const game = await requireGame((await params).game);
  const chosen = deliveriesList.chooseRows({ game, attentionCount: 0, mayExport: true }, request.nextUrl.searchParams);
  if (!chosen.ok) return refuseFile(400, chosen.sentence);
  const { find, chip } = chosen.request;
  const { fileName, text } = await exportDeliveries(downloads().db, game, {
    filter: { find, chip },
    exportedAt: await storedNow(),
    exportedBy: person.email,
  });
  return await sendFile(fileName, text);
}
