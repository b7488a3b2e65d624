import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { findPull } from '#lib/evidence/reads/pulls.ts';

const NO_STORE = { 'cache-control': 'no-store' };

/** The progress of a pull as JSON, without the person who requested it. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; pull: string }> }): Promise<Response> {
  const person = await findPerson();
  if (!person) return refuse(401, 'Sign in first.');
  if (!person.may('figures.read')) return refuse(403, 'Your role can’t read this.');
  const { game: slug, pull: text } = await params;
  const game = await requireGame(slug);
  const pull = /^[1-9]\d{0,14}$/.test(text) ? await findPull(db(), game.gameId, Number(text)) : null;
  if (pull === null) return refuse(404, `Pull “${text}” not found.`);
  return Response.json({ ...pull, requestedBy: '' }, { headers: NO_STORE });
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
