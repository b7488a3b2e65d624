import { openGameContext } from '#app/_server/game.ts';
import { findPerson } from '#app/_server/session.ts';
import type { CountAnswer } from '#app/_ui/layout/tabs.tsx';
import { loadMonth } from '#app/[game]/months/load-month.ts';
import { findClose } from '#lib/payouts/find-close.ts';

const NO_STORE = { 'cache-control': 'no-store' };

/** How many items of the close of a month still need a person, as JSON. Only a draft has any. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; month: string }> }): Promise<Response> {
  const person = await findPerson();
  if (!person) return refuse(401, 'Sign in first.');
  if (!person.may('figures.read')) return refuse(403, 'Your role can’t read this.');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  if (row.run?.state !== 'draft') return refuse(404, 'This month has no draft.');
  const found = await findClose(openGameContext(game).game, row.month);
  if (found.kind !== 'run') return refuse(404, 'This month has no draft.');
  const { openBlocks, openNotes } = found.close;
  const open: CountAnswer = { count: openBlocks + openNotes, isBlocked: openBlocks > 0 };
  return Response.json(open, { headers: NO_STORE });
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
