import { sql, type UpdateObject } from 'kysely';
import { recordAudit } from '#db/audit/writes.ts';
import { LeaseLost } from '#db/kit/lease.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';
import type { Run, RunId } from '../reads/find-run.ts';

/** A statement as it was drawn. */
export interface DrawnStatement {
  playerId: number;
  pdf: Buffer;
}

/** Until the transaction ends, nobody of the game is erased: a statement that names someone isn't stored after their erasure. */
export async function lockErasures(tx: Db, gameId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${gameId}::int, hashtext('erasure'))`.execute(tx);
}

/** Stores statements of an approved run. One that is stored already stays: of two people who draw it at once, both get the first. */
export async function insertStatements(
  tx: Db,
  { gameId, runId }: RunId,
  templateNo: number,
  statements: readonly DrawnStatement[],
): Promise<void> {
  const playerIds = statements.map(({ playerId }) => playerId);
  const pdfs = statements.map(({ pdf }) => pdf);
  await sql`
    insert into recipient_statement (game_id, run_id, recipient_player_id, template_no, pdf, sha256)
    select ${gameId}::int, ${runId}::bigint, drawn.player_id, ${templateNo}, drawn.pdf, sha256(drawn.pdf)
    from unnest(${playerIds}::bigint[], ${pdfs}::bytea[]) as drawn (player_id, pdf)
    order by drawn.player_id on conflict do nothing`.execute(tx);
}

/** How long a process may be silent before another takes its job over. */
const LEASE_SECONDS = 45;

/** The right to work on one job, held by one process. */
export interface StatementLease {
  gameId: number;
  statementJobId: number;
  runId: number;
  attemptCount: number;
  owner: string;
}

/** Queues the drawing of all statements of a run, with its audit row, unless a job of that run is at work. */
export async function insertStatementJob(
  db: Db,
  { gameId, runId, runNo, lineCount }: Pick<Run, 'gameId' | 'runId' | 'runNo' | 'lineCount'>,
  requestedBy: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const added = await tx
      .insertInto('statement_job')
      .values({ game_id: gameId, run_id: runId, requested_by: requestedBy, line_count: lineCount })
      .onConflict((conflict) => conflict.columns(['game_id', 'run_id']).where('state', 'in', ['queued', 'running']).doNothing())
      .returning('statement_job_id')
      .executeTakeFirst();
    if (!added) return;
    const detail = { statementJobId: added.statement_job_id };
    await recordAudit(tx, { actor: requestedBy, gameId, act: 'asked for all statements', subject: `payout run ${runNo}`, detail });
  });
}

/** Takes the oldest job of a game to work on it: queued, or left by a process that fell silent. null: none waits. */
export async function claimStatementJob(db: Db, owner: string, gameId: number): Promise<StatementLease | null> {
  const claimed = await db
    .updateTable('statement_job')
    .set({ state: 'running', lease_owner: owner, lease_until: leaseUntil, attempt_count: sql<number>`attempt_count + 1` })
    .where(({ eb, selectFrom, refTuple }) => {
      const next = selectFrom('statement_job as waiting')
        .select(['waiting.game_id', 'waiting.statement_job_id'])
        .where(sql<boolean>`(waiting.state = 'queued' or (waiting.state = 'running' and waiting.lease_until < clock_now()))`)
        .where('waiting.game_id', '=', gameId)
        .orderBy('waiting.statement_job_id')
        .limit(1)
        .forUpdate()
        .skipLocked();
      return eb(refTuple('game_id', 'statement_job_id'), 'in', next.$asTuple('game_id', 'statement_job_id'));
    })
    .returning(['game_id', 'statement_job_id', 'run_id', 'attempt_count'])
    .executeTakeFirst();
  if (!claimed) return null;
  const { game_id, statement_job_id, run_id, attempt_count } = claimed;
  return { gameId: game_id, statementJobId: statement_job_id, runId: run_id, attemptCount: attempt_count, owner };
}

const leaseUntil = sql<string>`clock_now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Writes how many statements are stored and keeps the lease of a job alive. Throws `LeaseLost` when another process has it. */
export async function recordStatementProgress(db: Db, lease: StatementLease, drawnCount: number): Promise<void> {
  await updateOwn(db, lease, { drawn_count: drawnCount, lease_until: leaseUntil });
}

/** Gives a job back unfinished, for the next process to claim. */
export async function releaseStatementJob(db: Db, lease: StatementLease): Promise<void> {
  await updateOwn(db, lease, { state: 'queued', lease_owner: null, lease_until: null });
}

/** Ends a job; `failure` says what went wrong, for people. Throws `LeaseLost` when another process has it. */
export async function endStatementJob(db: Db, lease: StatementLease, failure: string | null): Promise<void> {
  await updateOwn(db, lease, {
    state: failure === null ? 'done' : 'failed',
    ended_at: sql<string>`clock_now()`,
    lease_owner: null,
    lease_until: null,
    failure_message: failure,
  });
}

async function updateOwn(db: Db, lease: StatementLease, values: UpdateObject<Database, 'statement_job'>): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('statement_job')
    .set(values)
    .where('game_id', '=', lease.gameId)
    .where('statement_job_id', '=', lease.statementJobId)
    .where('lease_owner', '=', lease.owner)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LeaseLost(`statement job ${lease.statementJobId} is no longer ours`);
}
