import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type PullState, parsePullState } from '#lib/evidence/rules/evidence.ts';
import type { RunId } from './find-run.ts';

/** The stored statements of a run. */
const storedOf = (db: Db, { gameId, runId }: RunId) =>
  db.selectFrom('recipient_statement').where('game_id', '=', gameId).where('run_id', '=', runId);

/** Finds the stored PDF of a recipient; null: not drawn yet. */
export async function findStoredStatement(db: Db, run: RunId, playerId: number): Promise<Buffer | null> {
  const stored = await storedOf(db, run).where('recipient_player_id', '=', playerId).select('pdf').executeTakeFirst();
  return stored?.pdf ?? null;
}

/** Lists the next recipients of a run whose statement isn't drawn, by player id, with how many renewals each statement lists. */
export async function listUndrawn(db: Db, { gameId, runId }: RunId, limit: number): Promise<{ playerId: number; renewalCount: number }[]> {
  const { rows } = await sql<{ playerId: number; renewalCount: number }>`
    select line.recipient_player_id as "playerId", coalesce(seen.renewal_count, 0)::int as "renewalCount"
    from payout_run run join payout_line line on line.game_id = ${gameId} and line.run_id = run.run_id
      left join snapshot_recipient seen on seen.game_id = ${gameId} and seen.snapshot_id = run.snapshot_id
        and seen.recipient_player_id = line.recipient_player_id
    where run.game_id = ${gameId} and run.run_id = ${runId} and not exists (
      select from recipient_statement s where s.game_id = ${gameId} and s.run_id = line.run_id and s.recipient_player_id = line.recipient_player_id)
    order by line.recipient_player_id limit ${limit}`.execute(db);
  return rows;
}

/** Counts the stored statements of a run. */
export async function countDrawn(db: Db, run: RunId): Promise<number> {
  const { count } = await storedOf(db, run).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Lists the recipients of a run whose statement is stored, by player id. */
export async function listDrawn(db: Db, run: RunId): Promise<number[]> {
  const stored = await storedOf(db, run).select('recipient_player_id as playerId').orderBy('recipient_player_id').execute();
  return stored.map(({ playerId }) => playerId);
}

/** Reads the stored statements of a run by player id, a few at a time, so that a large run takes little memory. */
export async function* streamStatements(db: Db, run: RunId, size = 50): AsyncGenerator<{ playerId: number; pdf: Buffer }> {
  for (let after = -1; ; ) {
    const part = await storedOf(db, run)
      .where('recipient_player_id', '>', after)
      .select(['recipient_player_id as playerId', 'pdf'])
      .orderBy('recipient_player_id')
      .limit(size)
      .execute();
    yield* part;
    const last = part.at(-1);
    if (last === undefined || part.length < size) return;
    after = last.playerId;
  }
}

/** A job that draws all statements of a run, as pages show it. */
export interface StatementJob {
  statementJobId: number;
  state: PullState;
  drawnCount: number;
  lineCount: number;
  endedAt: string | null;
  /** For people; null: no failure. */
  failure: string | null;
}

/** Finds the newest job of a run; null: nobody requested all statements. */
export async function findStatementJob(db: Db, { gameId, runId }: RunId): Promise<StatementJob | null> {
  const row = await db
    .selectFrom('statement_job')
    .select(['statement_job_id', 'state', 'drawn_count', 'line_count', 'ended_at', 'failure_message'])
    .where('game_id', '=', gameId)
    .where('run_id', '=', runId)
    .orderBy('statement_job_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { statement_job_id, state, drawn_count, line_count, ended_at, failure_message } = row;
  return {
    statementJobId: statement_job_id,
    state: parsePullState(state),
    drawnCount: drawn_count,
    lineCount: line_count,
    endedAt: ended_at,
    failure: failure_message,
  };
}
