import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import type { Window } from '#lib/core/window.ts';
import { type PullState, parsePullState } from '#lib/evidence/rules/evidence.ts';
import { DETAIL_CHOICES, type DetailSetting } from '../rules/detail-figures.ts';

/** A failed job is tried again after this long. */
const RETRY_HOURS = 6;

/**
 * Lists the windows whose detail reports are due, newest first: complete ones never read, read about an older snapshot, whose last job failed six
 * hours ago, or whose search continues now. `since`: a report read from then on counts.
 */
export async function listDueDetails(db: Db, gameId: number): Promise<{ window: Window; since: string }[]> {
  const { rows } = await sql<{ window_start: string; window_end: string; since: string }>`
    select w.window_start, w.window_end, greatest(snapshot.created_at, job.since) as since
    from current_window w
    join snapshot on snapshot.game_id = ${gameId} and snapshot.snapshot_id = w.snapshot_id
    left join lateral (
      select state, since, ended_at from detail_job j
      where j.game_id = ${gameId} and j.window_start = w.window_start and j.window_end = w.window_end
      order by j.detail_job_id desc limit 1
    ) job on true
    left join detail_month month on month.game_id = ${gameId} and month.window_start = w.window_start and month.window_end = w.window_end
    where w.game_id = ${gameId} and w.status = 'complete' and case
      when job.state is null then true
      when job.state = 'failed' then job.ended_at < clock_now() - make_interval(hours => ${RETRY_HOURS})
      when job.state = 'done' then month.snapshot_id is distinct from w.snapshot_id or month.search_next_at <= clock_now()
      else false
    end
    order by w.window_start desc`.execute(db);
  return rows.map(({ window_start: start, window_end: end, since }) => ({ window: { start, end }, since }));
}

/** A job and its progress, as pages show it. */
export interface DetailJobFacts {
  detailJobId: number;
  state: PullState;
  requestedBy: string;
  requestedAt: string;
  /** Reports read from then on aren't read again. */
  since: string;
  readCount: number;
  /** null: not known yet. */
  plannedCount: number | null;
  activity: string | null;
  /** null: not waiting. */
  waitingUntil: string | null;
  endedAt: string | null;
  /** null: no failure. */
  failure: { code: string; sentence: string; errorId: string | null } | null;
}

/** A job as one column of a statement, from a table aliased `job`. */
export const detailJobColumn: RawBuilder<StoredDetailJob | null> = sql<StoredDetailJob | null>`
  case when job.detail_job_id is not null then json_build_object('detailJobId', job.detail_job_id, 'state', job.state,
    'requestedBy', job.requested_by, 'requestedAt', ${nestedInstant('job.requested_at')}, 'since', ${nestedInstant('job.since')}, 'readCount', job.read_count,
    'plannedCount', job.planned_count, 'activity', job.activity, 'waitingUntil', ${nestedInstant('job.waiting_until')},
    'endedAt', ${nestedInstant('job.ended_at')}, 'code', job.failure_code, 'sentence', job.failure_message, 'errorId', job.failure_error_id) end`;

export interface StoredDetailJob extends Omit<DetailJobFacts, 'state' | 'failure'> {
  state: string;
  code: string | null;
  sentence: string | null;
  errorId: string | null;
}

/** Reshapes the column of a job. */
export function reshapeDetailJob({ state, code, sentence, errorId, ...job }: StoredDetailJob): DetailJobFacts {
  return { ...job, state: parsePullState(state), failure: code === null ? null : { code, sentence: sentence ?? '', errorId } };
}

/** Finds a job and its progress; null when there is none with that id. */
export async function findDetailJob(db: Db, gameId: number, detailJobId: number): Promise<DetailJobFacts | null> {
  const { rows } = await sql<{ job: StoredDetailJob | null }>`
    select ${detailJobColumn} as job from detail_job job where job.game_id = ${gameId} and job.detail_job_id = ${detailJobId}`.execute(db);
  return rows[0]?.job ? reshapeDetailJob(rows[0].job) : null;
}

/** What a claimed job is about. */
export interface DetailTask {
  window: Window;
  since: string;
  attemptCount: number;
}

/** Finds what a job is about, for the process that works on it. */
export async function findDetailTask(db: Db, gameId: number, detailJobId: number): Promise<DetailTask> {
  const row = await db
    .selectFrom('detail_job')
    .select(['window_start', 'window_end', 'since', 'attempt_count'])
    .where('game_id', '=', gameId)
    .where('detail_job_id', '=', detailJobId)
    .executeTakeFirstOrThrow();
  return { window: { start: row.window_start, end: row.window_end }, since: row.since, attemptCount: row.attempt_count };
}

/** What nobody chose goes by size. */
const DEFAULT_SETTING: DetailSetting = { cardPeriods: 'by_size', subscriptions: 'by_size' };

/** Finds what is read of every month of a game. */
export async function findDetailSetting(db: Db, gameId: number): Promise<DetailSetting> {
  const row = await db.selectFrom('detail_setting').selectAll().where('game_id', '=', gameId).executeTakeFirst();
  return row === undefined ? DEFAULT_SETTING : reshapeSetting(row);
}

/** Parses a stored setting; null means the default. */
export function reshapeSetting(row: { card_periods: string; subscriptions: string } | null): DetailSetting {
  if (row === null) return DEFAULT_SETTING;
  return { cardPeriods: parseEnum(DETAIL_CHOICES, row.card_periods), subscriptions: parseEnum(DETAIL_CHOICES, row.subscriptions) };
}
