import { type Selectable, sql } from 'kysely';
import { type Leased, leaseTable } from '#db/kit/lease.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { DetailJobTable } from '#db/types.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Window } from '#lib/core/window.ts';
import type { DetailFigures, DetailSetting } from '../rules/detail-figures.ts';

/** The right to work on one job, held by one process. */
export interface DetailLease extends Leased {
  detailJobId: number;
}

/** A claimed job, and what it is about. */
export interface DetailJob extends DetailLease {
  window: Window;
  /** Reports read from then on aren't read again. */
  since: string;
  attemptCount: number;
}

/** How far a job is. */
export interface DetailProgress {
  /** Reports done, those read before included. */
  reads: number;
  /** null: not known yet. */
  plannedReads: number | null;
  activity: string;
  waitingUntil: string | null;
}

export const DETAIL_JOBS = leaseTable<DetailLease, DetailProgress>('detail_job', {
  queue: 'details',
  idOf: ({ detailJobId }) => detailJobId,
  columnsOf: ({ reads, plannedReads, activity, waitingUntil }) => ({
    read_count: reads,
    planned_count: plannedReads,
    activity,
    waiting_until: waitingUntil,
  }),
  idle: { waiting_until: null },
});

export interface NewDetailJob {
  gameId: number;
  window: Window;
  requestedBy: string;
  /** Reports read from then on aren't read again; null: from now on, so all are read. */
  since: string | null;
}

/** Queues the reading of a month's detail reports, with its audit row, unless one of that month is running. Whether it was queued. */
export async function insertDetailJob(db: Db, { gameId, window, requestedBy, since }: NewDetailJob): Promise<boolean> {
  return await inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('detail_job')
      .values({
        game_id: gameId,
        window_start: window.start,
        window_end: window.end,
        requested_by: requestedBy,
        ...(since === null ? {} : { since }),
      })
      .onConflict((conflict) =>
        conflict.columns(['game_id', 'window_start', 'window_end']).where('state', 'in', ['queued', 'running']).doNothing(),
      )
      .returning('detail_job_id')
      .executeTakeFirst();
    if (!added) return false;
    await recordAudit(trx, {
      actor: requestedBy,
      gameId,
      act: 'asked for the detail reports',
      subject: `${window.start} to ${window.end}`,
      detail: { detailJobId: added.detail_job_id },
    });
    await wakeWorker(trx, { queue: 'details', gameId, id: added.detail_job_id });
    return true;
  });
}

/**
 * Claims the job of a game's newest month: queued, or left by a process that fell silent. null when there is none, or a job of the
 * game is running already: all of them share one rate budget, so two would only delay each other. `owner` names this one claim.
 */
export async function claimDetailJob(db: Db, owner: string, gameId: number): Promise<DetailJob | null> {
  const claimed = await DETAIL_JOBS.claim<Claimed>(db, {
    owner,
    gameId,
    where: sql<boolean>`not exists (
      select from detail_job other where other.game_id = ${gameId} and other.state = 'running' and other.lease_until >= clock_now())`,
    order: sql`waiting.window_start desc`,
  });
  if (claimed === null) return null;
  const { detail_job_id: detailJobId, window_start: start, window_end: end, since, attempt_count: attemptCount } = claimed;
  return { gameId, detailJobId, owner, window: { start, end }, since, attemptCount };
}

type Claimed = Pick<Selectable<DetailJobTable>, 'detail_job_id' | 'window_start' | 'window_end' | 'since' | 'attempt_count'>;

export type DetailEnd = 'done' | { code: string; sentence: string; errorId: string | null };

/** Ends a job. Throws `LeaseLost` when another process has it. */
export async function endDetailJob(db: Db, lease: DetailLease, end: DetailEnd): Promise<void> {
  if (end === 'done') return await DETAIL_JOBS.end(db, lease, 'done');
  await DETAIL_JOBS.end(db, lease, 'failed', { failure_code: end.code, failure_message: end.sentence, failure_error_id: end.errorId });
}

export interface NewDetailMonth {
  window: Window;
  snapshotId: number;
  /** The readings stored until then are added up. */
  computedAt: string;
  figures: DetailFigures;
  /** Seconds until the search for renewals without attribution continues; null: it ended, or isn't needed. */
  searchAgainIn_seconds: number | null;
  /** Why it ended without placing each renewal; null: it didn't. */
  searchStopped: string | null;
}

/** Stores the result of the readings of a month and replaces the earlier one. Only the process that works on the month may. */
export async function recordDetailMonth(db: Db, lease: DetailLease, month: NewDetailMonth): Promise<void> {
  const { window, snapshotId, computedAt, figures, searchAgainIn_seconds, searchStopped } = month;
  const values = {
    snapshot_id: snapshotId,
    computed_at: computedAt,
    figures: JSON.stringify(figures),
    search_next_at: searchAgainIn_seconds === null ? null : sql<string>`clock_now() + make_interval(secs => ${searchAgainIn_seconds})`,
    search_stopped: searchStopped,
  };
  await inTransaction(db, async (trx) => {
    await DETAIL_JOBS.renew(trx, lease);
    await trx
      .insertInto('detail_month')
      .values({ game_id: lease.gameId, window_start: window.start, window_end: window.end, ...values })
      .onConflict((conflict) =>
        conflict
          .columns(['game_id', 'window_start', 'window_end'])
          .doUpdateSet(
            newerValues('detail_month', { columns: ['snapshot_id', 'computed_at', 'figures', 'search_next_at', 'search_stopped'] }),
          ),
      )
      .execute();
  });
}

/** Stores what is read of every month of a game, with its audit row. */
export async function setDetailSetting(db: Db, gameId: number, setting: DetailSetting, setBy: string): Promise<void> {
  const values = {
    card_periods: setting.cardPeriods,
    subscriptions: setting.subscriptions,
    set_by: setBy,
    set_at: sql<string>`clock_now()`,
  };
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('detail_setting')
      .values({ game_id: gameId, ...values })
      .onConflict((conflict) =>
        conflict
          .column('game_id')
          .doUpdateSet(newerValues('detail_setting', { columns: ['card_periods', 'subscriptions', 'set_by', 'set_at'] })),
      )
      .execute();
    await recordAudit(trx, {
      actor: setBy,
      gameId,
      act: 'changed what is read of each month',
      subject: 'detail reports',
      detail: { ...setting },
    });
  });
}
