import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type Month, monthOfWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import type { MonthPulled } from '../rules/due-pulls.ts';
import { type PullState, parsePullState, parseSnapshotStatus } from '../rules/evidence.ts';

/** A pull and its progress, as pages show it. */
export interface PullFacts {
  pullId: number;
  state: PullState;
  requestedBy: string;
  requestedAt: string;
  /** Calls made so far. */
  callCount: number;
  /** Calls expected in total; null: not known yet. */
  plannedCallCount: number | null;
  /** Renewal and reversal lines stored so far. */
  lineCount: number;
  /** When the wait for the rate limit ends; null: not waiting. */
  waitingUntil: string | null;
  /** What it is working on, as text; null: not started. */
  activity: string | null;
  endedAt: string | null;
  /** null: no failure. */
  failure: { code: string; sentence: string; errorId: string | null } | null;
}

export interface PullRow {
  pull_id: number | null;
  pull_state: string | null;
  pull_requested_by: string | null;
  pull_requested_at: string | null;
  pull_call_count: number | null;
  pull_planned_call_count: number | null;
  pull_line_count: number | null;
  pull_waiting_until: string | null;
  pull_activity: string | null;
  pull_ended_at: string | null;
  pull_failure_code: string | null;
  pull_failure_message: string | null;
  pull_failure_error_id: string | null;
}

/** Selects the columns of a table aliased `pull` that `reshapePull` reads. */
export const pullColumns = sql`
  pull.pull_id, pull.state as pull_state, pull.requested_by as pull_requested_by, pull.requested_at as pull_requested_at,
  pull.call_count as pull_call_count, pull.planned_call_count as pull_planned_call_count, pull.line_count as pull_line_count,
  pull.waiting_until as pull_waiting_until, pull.activity as pull_activity, pull.ended_at as pull_ended_at,
  pull.failure_code as pull_failure_code, pull.failure_message as pull_failure_message, pull.failure_error_id as pull_failure_error_id`;

/** Finds one pull of a game; null when there is none with that id. */
export async function findPull(db: Db, gameId: number, pullId: number): Promise<PullFacts | null> {
  const { rows } = await sql<PullRow>`
    select ${pullColumns} from pull where pull.game_id = ${gameId} and pull.pull_id = ${pullId}`.execute(db);
  return rows[0] ? reshapePull(rows[0]) : null;
}

/** Reshapes the pull columns of a row; null when they are all null. */
export function reshapePull(row: PullRow): PullFacts | null {
  const { pull_id: pullId, pull_state: state, pull_requested_at: requestedAt, pull_failure_code: code } = row;
  if (pullId === null || state === null || requestedAt === null) return null;
  return {
    pullId,
    state: parsePullState(state),
    requestedBy: row.pull_requested_by ?? '',
    requestedAt,
    callCount: row.pull_call_count ?? 0,
    plannedCallCount: row.pull_planned_call_count,
    lineCount: row.pull_line_count ?? 0,
    waitingUntil: row.pull_waiting_until,
    activity: row.pull_activity,
    endedAt: row.pull_ended_at,
    failure: code === null ? null : { code, sentence: row.pull_failure_message ?? '', errorId: row.pull_failure_error_id },
  };
}

export interface PullJob {
  pullId: number;
  window: Window;
  isFresh: boolean;
  state: PullState;
  calls: number;
  plannedCalls: number | null;
  lines: number;
  activity: string | null;
  waitingUntil: string | null;
  snapshotId: number | null;
  failure: { code: string; sentence: string; errorId: string | null } | null;
  attemptCount: number;
}

/** Finds one pull as a job: what was requested, its progress and how it ended, for the command line and the worker. Throws when there is none. */
export async function findPullJob(db: Db, gameId: number, pullId: number): Promise<PullJob> {
  const { start, end, state, code, sentence, errorId, ...job } = await db
    .selectFrom('pull')
    .select([
      'pull_id as pullId',
      'is_fresh as isFresh',
      'call_count as calls',
      'planned_call_count as plannedCalls',
      'line_count as lines',
    ])
    .select(['activity', 'waiting_until as waitingUntil', 'snapshot_id as snapshotId', 'attempt_count as attemptCount'])
    .select(['window_start as start', 'window_end as end', 'state'])
    .select(['failure_code as code', 'failure_message as sentence', 'failure_error_id as errorId'])
    .where('game_id', '=', gameId)
    .where('pull_id', '=', pullId)
    .executeTakeFirstOrThrow();
  const failure = code === null ? null : { code, sentence: sentence ?? '', errorId };
  return { ...job, window: { start, end }, state: parsePullState(state), failure };
}

/** Lists each calendar month of a game that was ever requested, with its status and the times of its last pulls, for the schedule. */
export async function listPulledMonths(db: Db, gameId: number, timeZone: string): Promise<MonthPulled[]> {
  const rows = await db
    .selectFrom('pull')
    .leftJoin('current_window', (join) =>
      join
        .on('current_window.game_id', '=', gameId)
        .onRef('current_window.window_start', '=', 'pull.window_start')
        .onRef('current_window.window_end', '=', 'pull.window_end'),
    )
    .select(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .select(({ fn }) => [
      fn.max('pull.requested_at').as('last_pulled_at'),
      fn.max('pull.requested_at').filterWhere('pull.state', '=', 'done').$castTo<string | null>().as('last_done_at'),
    ])
    .where('pull.game_id', '=', gameId)
    .groupBy(['pull.window_start', 'pull.window_end', 'current_window.status'])
    .execute();
  return rows.flatMap((row) => {
    const month = monthOfWindow({ start: row.window_start, end: row.window_end }, timeZone);
    return month === null
      ? []
      : [
          {
            month,
            status: row.status === null ? null : parseSnapshotStatus(row.status),
            lastPulledAt: row.last_pulled_at,
            lastDoneAt: row.last_done_at,
          },
        ];
  });
}

/** What a person decided about the pulls of the schedule. */
export interface PullSchedule {
  /** How far back months are pulled; null: to the first one a person pulled. */
  firstMonth: Month | null;
  /** Since when scheduled pulls wait, and whose decision it was; null: they don't. */
  paused: { at: string; by: string } | null;
}

/** Finds what a person decided about scheduled pulls, the start of the earliest window ever requested (null: none), and the database's clock. */
export async function findPullSchedule(db: Db, gameId: number): Promise<PullSchedule & { firstStart: string | null; readAt: string }> {
  const { rows } = await sql<{
    first_month: string | null;
    paused_at: string | null;
    paused_by: string | null;
    first_start: string | null;
    read_at: string;
  }>`
    select schedule.first_month, schedule.paused_at, schedule.paused_by, clock_now() as read_at,
      (select window_start from pull where pull.game_id = ${gameId} order by window_start limit 1) as first_start
    from (select 1) one left join pull_schedule schedule on schedule.game_id = ${gameId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a statement without a condition found no row');
  const paused = row.paused_at === null || row.paused_by === null ? null : { at: row.paused_at, by: row.paused_by };
  return { firstMonth: row.first_month, paused, firstStart: row.first_start, readAt: row.read_at };
}
