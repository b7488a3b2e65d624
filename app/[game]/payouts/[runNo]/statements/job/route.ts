import { db } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/load-run.ts';
import { findStatementJob } from '#lib/payouts/reads/statements.ts';

const NO_STORE = { 'cache-control': 'no-store' };

interface Context {
  params: Promise<{ game: string; runNo: string }>;
}

/** The progress of the newest job that draws all statements of a run, as JSON. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await findPerson();
  if (!person) return refuse(401, 'Sign in first.');
  if (!person.may('figures.read')) return refuse(403, 'Your role can’t read this.');
  const { game: slug, runNo } = await params;
  const { run } = await loadRun(slug, runNo);
  const job = await findStatementJob(db(), run);
  return job === null ? refuse(404, 'Nobody asked for all statements of this run.') : Response.json(job, { headers: NO_STORE });
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
