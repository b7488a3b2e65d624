import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import { failureColumn, type PullFacts } from '#lib/evidence/reads/pulls.ts';
import { parsePullState } from '#lib/evidence/rules/evidence.ts';
import { type JoinedTotals, totalsOfRow } from '#lib/evidence/rules/totals.ts';
import { DETAIL_CHOICES, type DetailFigures, type DetailSetting, parseDetailFigures } from '../rules/detail-figures.ts';

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
export interface DetailJobFacts
  extends Pick<PullFacts, 'state' | 'requestedBy' | 'requestedAt' | 'activity' | 'waitingUntil' | 'endedAt' | 'failure'> {
  detailJobId: number;
  /** Reports read from then on aren't read again. */
  since: string;
  readCount: number;
  /** null: not known yet. */
  plannedCount: number | null;
}

/** A job as one column of a statement, from a table aliased `job`. */
const detailJobColumn: RawBuilder<StoredDetailJob | null> = sql<StoredDetailJob | null>`
  case when job.detail_job_id is not null then json_build_object('detailJobId', job.detail_job_id, 'state', job.state,
    'requestedBy', job.requested_by, 'requestedAt', ${nestedInstant('job.requested_at')}, 'since', ${nestedInstant('job.since')}, 'readCount', job.read_count,
    'plannedCount', job.planned_count, 'activity', job.activity, 'waitingUntil', ${nestedInstant('job.waiting_until')},
    'endedAt', ${nestedInstant('job.ended_at')}, 'failure', ${failureColumn('job')}) end`;

type StoredDetailJob = Omit<DetailJobFacts, 'state'> & { state: string };

function reshapeDetailJob(job: StoredDetailJob): DetailJobFacts {
  return { ...job, state: parsePullState(job.state) };
}

/** Finds a job and its progress; null when there is none with that id. */
export async function findDetailJob(db: Db, gameId: number, detailJobId: number): Promise<DetailJobFacts | null> {
  const { rows } = await sql<{ job: StoredDetailJob | null }>`
    select ${detailJobColumn} as job from detail_job job where job.game_id = ${gameId} and job.detail_job_id = ${detailJobId}`.execute(db);
  return rows[0]?.job ? reshapeDetailJob(rows[0].job) : null;
}

/** What nobody chose goes by size. */
const DEFAULT_SETTING: DetailSetting = { cardPeriods: 'by_size', subscriptions: 'by_size' };

/** Finds what is read of every month of a game. */
export async function findDetailSetting(db: Db, gameId: number): Promise<DetailSetting> {
  const row = await db.selectFrom('detail_setting').selectAll().where('game_id', '=', gameId).executeTakeFirst();
  return reshapeSetting(row ?? null);
}

/** Parses a stored setting; null means the default. */
function reshapeSetting(row: { card_periods: string; subscriptions: string } | null): DetailSetting {
  if (row === null) return DEFAULT_SETTING;
  return { cardPeriods: parseEnum(DETAIL_CHOICES, row.card_periods), subscriptions: parseEnum(DETAIL_CHOICES, row.subscriptions) };
}

/** What the detail reports of a month come to, as they were last added up. */
export interface DetailMonth {
  snapshotId: number;
  computedAt: string;
  figures: DetailFigures;
  /** When the search for renewals without attribution continues; null: it ended, or isn't needed. */
  searchNextAt: string | null;
  /** Why it ended early; null: it didn't. */
  searchStopped: string | null;
}

/** What is stored about the detail reports of a month: what they come to, the last job, and what is read of every month of the game. */
export interface DetailFacts {
  /** null: never added up. */
  month: DetailMonth | null;
  job: DetailJobFacts | null;
  setting: DetailSetting;
}

interface DetailRow {
  month: (Omit<DetailMonth, 'figures'> & { figures: unknown }) | null;
  job: StoredDetailJob | null;
  setting: { card_periods: string; subscriptions: string } | null;
}

/** Finds what is stored about the detail reports of a month, in one statement. */
export async function findDetailMonth(db: Db, gameId: number, { start, end }: Window): Promise<DetailFacts> {
  const { rows } = await sql<DetailRow>`
    select
      (select json_build_object('snapshotId', m.snapshot_id, 'computedAt', ${nestedInstant('m.computed_at')}, 'figures', m.figures,
          'searchNextAt', ${nestedInstant('m.search_next_at')}, 'searchStopped', m.search_stopped)
        from detail_month m where m.game_id = ${gameId} and m.window_start = ${start} and m.window_end = ${end}) as month,
      (select ${detailJobColumn}
        from detail_job job where job.game_id = ${gameId} and job.window_start = ${start} and job.window_end = ${end}
        order by job.detail_job_id desc limit 1) as job,
      (select json_build_object('card_periods', s.card_periods, 'subscriptions', s.subscriptions)
        from detail_setting s where s.game_id = ${gameId}) as setting`.execute(db);
  const row = rows[0] ?? { month: null, job: null, setting: null };
  const figures = row.month === null ? null : parseDetailFigures(row.month.figures);
  return {
    month: row.month === null || figures === null ? null : { ...row.month, figures },
    job: row.job === null ? null : reshapeDetailJob(row.job),
    setting: reshapeSetting(row.setting),
  };
}

/** The figures of a month as stored, with the snapshot they are of, for verification. */
export interface StoredDetailMonth {
  window: Window;
  computedAt: string;
  figures: unknown;
  /** null: there is no such snapshot. */
  snapshot: { snapshotId: number; window: Window; createdAt: string; totals: JoinedTotals } | null;
}

/** Lists what the detail reports of each month of a game come to, oldest first. */
export async function listDetailMonths(db: Db, gameId: number): Promise<StoredDetailMonth[]> {
  const months = await db.selectFrom('detail_month').selectAll().where('game_id', '=', gameId).orderBy('window_start').execute();
  const snapshots = await db
    .selectFrom('snapshot')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('snapshot_id', 'in', [0, ...months.map((month) => month.snapshot_id)])
    .execute();
  return months.map(({ window_start: start, window_end: end, computed_at: computedAt, figures, snapshot_id: snapshotId }) => {
    const row = snapshots.find((each) => each.snapshot_id === snapshotId);
    const snapshot = row && {
      snapshotId,
      window: { start: row.window_start, end: row.window_end },
      createdAt: row.created_at,
      totals: totalsOfRow<JoinedTotals>(row),
    };
    return { window: { start, end }, computedAt, figures, snapshot: snapshot ?? null };
  });
}
