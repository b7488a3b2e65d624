import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { findBalanceJob } from '#lib/balances/reads.ts';

const NO_STORE = { 'cache-control': 'no-store' };

/** The progress of a job that reads balances, as JSON, without the person who requested it. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; job: string }> }): Promise<Response> {
  const person = await findPerson();
  if (!person) return refuse(401, 'Sign in first.');
  if (!person.may('balances.read')) return refuse(403, 'Your role can’t read this.');
  const { game: slug, job: text } = await params;
  const game = await requireGame(slug);
  const job = /^[1-9]\d{0,14}$/.test(text) ? await findBalanceJob(db(), game.gameId, Number(text)) : null;
  if (job === null) return refuse(404, `Balance file “${text}” not found.`);
  return Response.json({ ...job, requestedBy: '' }, { headers: NO_STORE });
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
