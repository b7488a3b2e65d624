import { sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type JoinedTotals, totalsOfRow } from '#lib/evidence/rules/totals.ts';
import { type DetailFigures, type DetailSetting, parseDetailFigures } from '../rules/detail-figures.ts';
import { type DetailJobFacts, detailJobColumn, reshapeDetailJob, reshapeSetting, type StoredDetailJob } from './detail-jobs.ts';

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
