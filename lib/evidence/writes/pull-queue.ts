import { sql } from 'kysely';
import { type Leased, leaseTable } from '#db/kit/lease.ts';
import { type Db, firstInstant, inTransaction } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import { wakeOverdue, wakeWorker } from '#db/kit/wake.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Month } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';

/** The right to work on one pull, held by one process. */
export interface Lease extends Leased {
  pullId: number;
}

/** How far a pull is. */
export interface PullProgress {
  calls: number;
  plannedCalls: number;
  lines: number;
  activity: string;
  waitingUntil: string | null;
}

export const PULLS = leaseTable<Lease, PullProgress>('pull', {
  queue: 'pull',
  idOf: ({ pullId }) => pullId,
  columnsOf: ({ calls, plannedCalls, lines, activity, waitingUntil }) => ({
    call_count: calls,
    planned_call_count: plannedCalls,
    line_count: lines,
    activity,
    waiting_until: waitingUntil,
  }),
  idle: { waiting_until: null },
});

export interface NewPull {
  gameId: number;
  window: Window;
  isFresh: boolean;
  requestedBy: string;
}

/** Whose name a pull of the schedule has. */
export const SCHEDULE = 'schedule';

/**
 * Queues a pull of a window, with its audit row, unless one of the same window is running; then returns that one. One that the schedule queued
 * becomes the pull of the person who requests it: a pause of scheduled pulls doesn't hold it back.
 */
export async function insertPull(db: Db, { gameId, window, isFresh, requestedBy }: NewPull): Promise<{ pullId: number; isNew: boolean }> {
  return inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('pull')
      .values({ game_id: gameId, window_start: window.start, window_end: window.end, is_fresh: isFresh, requested_by: requestedBy })
      .onConflict((conflict) =>
        conflict.columns(['game_id', 'window_start', 'window_end']).where('state', 'in', ['queued', 'running']).doNothing(),
      )
      .returning('pull_id')
      .executeTakeFirst();
    if (!added) {
      const pullId = await findActivePull(trx, gameId, window);
      if (requestedBy !== SCHEDULE) await adoptPull(trx, { gameId, pullId, requestedBy });
      return { pullId, isNew: false };
    }
    await recordAudit(trx, {
      actor: requestedBy,
      gameId,
      act: 'asked for a pull',
      subject: `${window.start} to ${window.end}`,
      detail: { pullId: added.pull_id, isFresh },
    });
    await wakeWorker(trx, { queue: 'pull', gameId, id: added.pull_id });
    return { pullId: added.pull_id, isNew: true };
  });
}

async function adoptPull(db: Db, { gameId, pullId, requestedBy }: { gameId: number; pullId: number; requestedBy: string }): Promise<void> {
  await db
    .updateTable('pull')
    .set({ requested_by: requestedBy })
    .where('game_id', '=', gameId)
    .where('pull_id', '=', pullId)
    .where('requested_by', '=', SCHEDULE)
    .where('state', '=', 'queued')
    .execute();
}

/**
 * Claims the oldest pull of a game, or that very one: queued, left by a process that fell silent, or left by the caller itself, who works on one pull
 * of a game at a time. Those of the schedule wait while a person has paused it, and all of them while Invo requires a long wait. null when there is
 * none, or it is running elsewhere.
 */
export async function claimPull(db: Db, owner: string, { gameId, pullId }: { gameId: number; pullId?: number }): Promise<Lease | null> {
  const claimed = await PULLS.claim<{ pull_id: number }>(db, {
    owner,
    gameId,
    takesOwn: true,
    set: { started_at: firstInstant('started_at'), call_count: 0, planned_call_count: null, line_count: 0 },
    where: sql<boolean>`(${pullId ?? null}::bigint is null or waiting.pull_id = ${pullId ?? null})
      and not (waiting.requested_by = ${SCHEDULE} and exists (select from pull_schedule where game_id = ${gameId} and paused_at is not null))
      and not exists (select from rate_bucket where game_id = ${gameId} and bucket = 'aggregate' and least(asked_until, probe_at) > clock_now())`,
    order: sql`waiting.requested_at, waiting.pull_id`,
  });
  return claimed === null ? null : { gameId, pullId: claimed.pull_id, owner };
}

/** Gives a pull back because Invo requested a long wait; it is claimed again when a call may be made, and this attempt doesn't count. */
export async function deferPull(db: Db, lease: Lease, until: string): Promise<void> {
  await PULLS.release(db, lease, { waiting_until: until, attempt_count: sql`greatest(0, attempt_count - 1)` });
}

export type PullEnd = { snapshotId: number; calls: number; lines: number } | { code: string; sentence: string; errorId: string | null };

/** Ends a pull, with a snapshot or a failure. Throws `LeaseLost` when another process has it. */
export async function endPull(tx: Db, lease: Lease, end: PullEnd): Promise<void> {
  if ('code' in end) {
    const { code, sentence, errorId } = end;
    return await PULLS.end(tx, lease, 'failed', { failure_code: code, failure_message: sentence, failure_error_id: errorId });
  }
  const { snapshotId, calls, lines } = end;
  await PULLS.end(tx, lease, 'done', { snapshot_id: snapshotId, call_count: calls, planned_call_count: calls, line_count: lines });
}

async function findActivePull(db: Db, gameId: number, window: Window): Promise<number> {
  const active = await db
    .selectFrom('pull')
    .select('pull_id')
    .where('game_id', '=', gameId)
    .where('window_start', '=', window.start)
    .where('window_end', '=', window.end)
    .orderBy('pull_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return active.pull_id;
}

/** Stores how far back months are pulled, with its audit row. False: it was decided before, and that stays. */
export async function insertFirstMonth(
  db: Db,
  { gameId, month, actor }: { gameId: number; month: Month; actor: string },
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const added = await trx
      .insertInto('pull_schedule')
      .values({ game_id: gameId, first_month: month, started_by: actor, started_at: sql<string>`clock_now()` })
      .onConflict((conflict) =>
        conflict
          .column('game_id')
          .doUpdateSet(newerValues('pull_schedule', { columns: ['first_month', 'started_by', 'started_at'] }))
          .where('pull_schedule.first_month', 'is', null),
      )
      .returning('game_id')
      .executeTakeFirst();
    if (!added) return false;
    await recordAudit(trx, { actor, gameId, act: 'started the history', subject: month });
    return true;
  });
}

/** Holds back scheduled pulls, or lets them continue, with its audit row. False: they were so already. */
export async function setPullsPaused(
  db: Db,
  { gameId, isPaused, actor }: { gameId: number; isPaused: boolean; actor: string },
): Promise<boolean> {
  const now = sql<string>`clock_now()`;
  return inTransaction(db, async (trx) => {
    const paused = isPaused ? { paused_by: actor, paused_at: now } : { paused_by: null, paused_at: null };
    const changed = await trx
      .insertInto('pull_schedule')
      .values({ game_id: gameId, ...paused })
      .onConflict((conflict) =>
        conflict
          .column('game_id')
          .doUpdateSet(newerValues('pull_schedule', { columns: ['paused_by', 'paused_at'] }))
          .where('pull_schedule.paused_at', isPaused ? 'is' : 'is not', null),
      )
      .returning('game_id')
      .executeTakeFirst();
    if (!changed) return false;
    await recordAudit(trx, { actor, gameId, act: isPaused ? 'paused scheduled pulls' : 'resumed scheduled pulls', subject: 'schedule' });
    if (!isPaused) await wakeOverdue(trx, gameId);
    return true;
  });
}
