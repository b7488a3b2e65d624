import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { answerRows, readRowParams, refuseRows } from '#app/[game]/_rows/answer-rows.ts';
import { loadRefunds } from '../refund-table.ts';

interface Context {
  params: Promise<{ game: string }>;
}

/** Rows of the register of refunds for the table on the screen. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const asked = await readRowParams(request);
  if (asked === null) return refuseRows(400, 'An email can’t be part of a URL. Send it in the body of a POST request.');
  return await answerRows(() => loadRefunds(game, asked, person.id));
}

/** The same, for a filter that can’t be part of a URL; it only reads. */
export const POST = GET;
