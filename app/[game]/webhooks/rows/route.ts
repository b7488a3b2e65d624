import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { deliveriesList } from '../delivery-table.ts';

interface Context {
  params: Promise<{ game: string }>;
}

/** Rows of the deliveries for the table on the screen. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  await requirePerson('deliveries.read');
  const game = await requireGame((await params).game);
  return await deliveriesList.respond(request, async () => ({ game, attentionCount: 0, mayExport: false }));
}

/** The same, for a filter that can’t be part of a URL; it only reads. */
export const POST = GET;
