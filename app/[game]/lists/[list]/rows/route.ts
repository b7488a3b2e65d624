import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { refuseRows } from '#app/[game]/_rows/define-list.ts';
import { findServedList } from '#app/[game]/served-lists.ts';

/** Rows of a long list for its table. */
export async function GET(request: Request, { params }: { params: Promise<{ game: string; list: string }> }): Promise<Response> {
  const { game: slug, list: name } = await params;
  const list = findServedList(name);
  const person = await requirePerson(list?.right ?? 'figures.read');
  const game = await requireGame(slug);
  return list === null ? refuseRows(404, 'This list doesn’t exist.') : await list.respond(request, { game, person });
}

/** The same with parameters in the body, for those that can’t be part of an address. It only reads. */
export const POST = GET;
