import { sql } from 'kysely';
import { type Leased, leaseTable } from '#db/kit/lease.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Run, RunId } from '../reads/find-run.ts';
import { TEMPLATE_NO } from '../rules/statement.ts';

/** Stores statements of an approved run. One that is stored already stays: of two people who draw it at once, both get the first. */
export async function insertStatements(
  tx: Db,
  { gameId, runId }: RunId,
  statements: readonly { playerId: number; pdf: Buffer }[],
): Promise<void> {
  const playerIds = statements.map(({ playerId }) => playerId);
  const pdfs = statements.map(({ pdf }) => pdf);
  await sql`
    insert into recipient_statement (game_id, run_id, recipient_player_id, template_no, pdf, sha256)
    select ${gameId}::int, ${runId}::bigint, drawn.player_id, ${TEMPLATE_NO}, drawn.pdf, sha256(drawn.pdf)
    from unnest(${playerIds}::bigint[], ${pdfs}::bytea[]) as drawn (player_id, pdf)
    order by drawn.player_id on conflict do nothing returning recipient_player_id`.execute(tx);
}

/** The right to work on one job, held by one process. */
export interface StatementLease extends Leased {
  statementJobId: number;
  runId: number;
  attemptCount: number;
}

export const STATEMENT_JOBS = leaseTable<StatementLease, { drawnCount: number }>('statement_job', {
  queue: 'statements',
  idOf: ({ statementJobId }) => statementJobId,
  columnsOf: ({ drawnCount }) => ({ drawn_count: drawnCount }),
});

/** Queues the drawing of all statements of a run, with its audit row, unless a job of that run is already running. */
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
    await wakeWorker(tx, { queue: 'statements', gameId, id: added.statement_job_id });
  });
}

/** Claims the oldest job of a game: queued, or left by a process that fell silent. null: none waits. */
export async function claimStatementJob(db: Db, owner: string, gameId: number): Promise<StatementLease | null> {
  const claimed = await STATEMENT_JOBS.claim<{ statement_job_id: number; run_id: number; attempt_count: number }>(db, {
    owner,
    gameId,
    order: sql`waiting.statement_job_id`,
  });
  if (claimed === null) return null;
  const { statement_job_id, run_id, attempt_count } = claimed;
  return { gameId, statementJobId: statement_job_id, runId: run_id, attemptCount: attempt_count, owner };
}

/** Ends a job; `failure` says what went wrong, for people. Throws `LeaseLost` when another process has it. */
export async function endStatementJob(
  db: Db,
  lease: StatementLease,
  { drawnCount, failure }: { drawnCount: number; failure: string | null },
): Promise<void> {
  await STATEMENT_JOBS.end(db, lease, failure === null ? 'done' : 'failed', { drawn_count: drawnCount, failure_message: failure });
}
