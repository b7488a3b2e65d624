import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type PullState, parsePullState } from '../rules/evidence.ts';

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

/** Why a job failed, as one column of a statement, from a table of jobs; null: it didn't. */
export function failureColumn(table: 'pull' | 'job'): RawBuilder<PullFacts['failure']> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  return sql`case when ${column('failure_code')} is not null then json_build_object('code', ${column('failure_code')},
    'sentence', coalesce(${column('failure_message')}, ''), 'errorId', ${column('failure_error_id')}) end`;
}

/** A pull as one column of a statement, from a table aliased `pull`; null: there is none. */
export const pullColumn: RawBuilder<StoredPull | null> = sql<StoredPull | null>`
  case when pull.pull_id is not null then json_build_object('pullId', pull.pull_id, 'state', pull.state, 'requestedBy', pull.requested_by,
    'requestedAt', ${nestedInstant('pull.requested_at')}, 'callCount', pull.call_count, 'plannedCallCount', pull.planned_call_count,
    'lineCount', pull.line_count, 'waitingUntil', ${nestedInstant('pull.waiting_until')}, 'activity', pull.activity,
    'endedAt', ${nestedInstant('pull.ended_at')}, 'failure', ${failureColumn('pull')}) end`;

export type StoredPull = Omit<PullFacts, 'state'> & { state: string };

/** Finds one pull of a game; null when there is none with that id. */
export async function findPull(db: Db, gameId: number, pullId: number): Promise<PullFacts | null> {
  const { rows } = await sql<{ pull: StoredPull }>`
    select ${pullColumn} as pull from pull where pull.game_id = ${gameId} and pull.pull_id = ${pullId}`.execute(db);
  return rows[0] ? reshapePull(rows[0].pull) : null;
}

/** Reshapes the column of a pull. */
export function reshapePull(pull: StoredPull): PullFacts {
  return { ...pull, state: parsePullState(pull.state) };
}

/** A pull as a job. */
export interface PullJob extends Pick<PullFacts, 'pullId' | 'state' | 'activity' | 'waitingUntil' | 'failure'> {
  window: Window;
  isFresh: boolean;
  calls: number;
  plannedCalls: number | null;
  lines: number;
  snapshotId: number | null;
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
