import { notFound } from 'next/navigation';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { findPerson } from '#app/_server/session.ts';
import type { Db } from '#db/kit/open.ts';
import { findBalanceJob } from '#lib/balances/reads.ts';
import type { Capability } from '#lib/core/roles.ts';
import { findPull } from '#lib/evidence/reads/pulls.ts';
import { findDetailJob } from '#lib/fees/reads/detail-jobs.ts';
import { findRun } from '#lib/payouts/reads/find-run.ts';
import { findStatementJob } from '#lib/payouts/reads/statements.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';

interface Kind {
  right: Capability;
  /** Finds a job with its progress; null: there is none. */
  find(gameId: number, id: string): Promise<object | null>;
  missing(id: string): string;
}

/** Whose progress can be read. The id of a job of `statements` is the number of its run. */
const KINDS: Record<string, Kind> = {
  pull: { right: 'figures.read', find: byId(findPull), missing: (id) => `Pull “${id}” not found.` },
  details: { right: 'figures.read', find: byId(findDetailJob), missing: (id) => `Job “${id}” not found.` },
  balances: { right: 'balances.read', find: byId(findBalanceJob), missing: (id) => `Balance file “${id}” not found.` },
  statements: { right: 'figures.read', find: findOfRun, missing: () => 'Nobody asked for all statements of this run.' },
};

const NO_STORE = { 'cache-control': 'no-store' };

interface Context {
  params: Promise<{ game: string; kind: string; id: string }>;
}

/** The progress of a job as JSON, without the person who requested it. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await findPerson();
  if (!person) return refuse(401, 'Sign in first.');
  const { game: slug, kind: name, id } = await params;
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) return refuse(404, `No jobs of the kind “${name}”.`);
  if (!person.may(kind.right)) return refuse(403, 'Your role can’t read this.');
  const { gameId } = await requireGame(slug);
  const job = await kind.find(gameId, id);
  return job === null ? refuse(404, kind.missing(id)) : Response.json(job, { headers: NO_STORE });
}

/** Finds a job by its id, without the person who requested it. */
function byId(find: (db: Db, gameId: number, id: number) => Promise<object | null>): Kind['find'] {
  return async (gameId, id) => {
    const job = /^[1-9]\d{0,14}$/.test(id) ? await find(db(), gameId, Number(id)) : null;
    return job === null ? null : { ...job, requestedBy: '' };
  };
}

/** Finds the newest job of a run by the run's number. */
async function findOfRun(gameId: number, text: string): Promise<object | null> {
  const runNo = parseRunNo(text);
  const run = runNo === null ? null : await findRun(db(), gameId, { runNo });
  return await findStatementJob(db(), run ?? notFound());
}

function refuse(status: number, sentence: string): Response {
  return Response.json({ error: sentence }, { status, headers: NO_STORE });
}
