import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { refundsList } from '../refund-table.ts';

interface Context {
  params: Promise<{ game: string }>;
}

/** Rows of the register of refunds for the table on the screen. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const may = { mayRequest: person.may('refunds.request'), mayExport: person.may('files.export') };
  return await refundsList.respond(request, async () => ({ game, personId: person.id, ...may }));
}

/** The same, for a filter that can’t be part of a URL; it only reads. */
export const POST = GET;
