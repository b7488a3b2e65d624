import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A job that pulls a window, and how far it is. */
export interface PullFacts {
  pullId: number;
  state: 'queued' | 'running' | 'done' | 'failed';
  requestedBy: string;
  requestedAt: string;
  /** Calls answered so far. */
  callCount: number;
  /** Calls expected in all; null: not known yet. */
  plannedCallCount: number | null;
  /** Renewal and reversal lines held so far. */
  lineCount: number;
  /** Waiting for the rate limit until then; null: not waiting. */
  waitingUntil: string | null;
  /** What it is at, in words; null: not begun. */
  doing: string | null;
  endedAt: string | null;
  /** null: it did not fail. */
  failure: { code: string; sentence: string; errorId: string | null } | null;
}

export interface PullRow {
  pull_id: number | null;
  pull_state: PullFacts['state'] | null;
  pull_requested_by: string | null;
  pull_requested_at: string | null;
  pull_call_count: number | null;
  pull_planned_call_count: number | null;
  pull_line_count: number | null;
  pull_waiting_until: string | null;
  pull_doing: string | null;
  pull_ended_at: string | null;
  pull_failure_code: string | null;
  pull_failure_sentence: string | null;
  pull_failure_error_id: string | null;
}

/** The columns of a row named `pull` that `reshapePull` reads. */
export const pullColumns = sql`
  pull.pull_id, pull.state as pull_state, pull.requested_by as pull_requested_by, pull.requested_at as pull_requested_at,
  pull.call_count as pull_call_count, pull.planned_call_count as pull_planned_call_count, pull.line_count as pull_line_count,
  pull.waiting_until as pull_waiting_until, pull.doing as pull_doing, pull.ended_at as pull_ended_at,
  pull.failure_code as pull_failure_code, pull.failure_sentence as pull_failure_sentence, pull.failure_error_id as pull_failure_error_id`;

/** One pull of a game; null when the game has none of that number. */
export async function findPull(db: Db, gameId: number, pullId: number): Promise<PullFacts | null> {
  const { rows } = await sql<PullRow>`
    select ${pullColumns} from pull where pull.game_id = ${gameId} and pull.pull_id = ${pullId}`.execute(db);
  return rows[0] ? reshapePull(rows[0]) : null;
}

/** The pull a row speaks of; null when the row has none. */
export function reshapePull(row: PullRow): PullFacts | null {
  const { pull_id: pullId, pull_state: state, pull_requested_at: requestedAt, pull_failure_code: code } = row;
  if (pullId === null || state === null || requestedAt === null) return null;
  return {
    pullId,
    state,
    requestedBy: row.pull_requested_by ?? '',
    requestedAt,
    callCount: row.pull_call_count ?? 0,
    plannedCallCount: row.pull_planned_call_count,
    lineCount: row.pull_line_count ?? 0,
    waitingUntil: row.pull_waiting_until,
    doing: row.pull_doing,
    endedAt: row.pull_ended_at,
    failure: code === null ? null : { code, sentence: row.pull_failure_sentence ?? '', errorId: row.pull_failure_error_id },
  };
}
