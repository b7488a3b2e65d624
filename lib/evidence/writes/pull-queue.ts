import { sql } from 'kysely';
import { type Leased, leaseTable } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Window } from '#lib/core/window.ts';

/** The right to work on one pull, held by one process. */
export interface Lease extends Leased {
  pullId: number;
}

const PULLS = leaseTable<Lease>('pull', ({ pullId }) => pullId);

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
 * becomes the pull of the person who asks for it: a pause of scheduled pulls doesn't hold it back.
 */
export async function insertPull(db: Db, { gameId, window, isFresh, requestedBy }: NewPull): Promise<{ pullId: number; isNew: boolean }> {
  return db.transaction().execute(async (trx) => {
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
 * Claims the oldest pull of these games, game by game, or that very one: queued, left by a process that fell silent, or left by the caller itself,
 * who works on one pull of a game at a time. Those of the schedule wait while a person has paused it, and those of a game while Invo requires it to make a
 * long wait. null when there is none, or it is running elsewhere.
 */
export async function claimPull(db: Db, owner: string, among: { gameIds: number[]; pullId?: number }): Promise<Lease | null> {
  for (const gameId of among.gameIds) {
    const claimed = await PULLS.claim<{ pull_id: number }>(db, {
      owner,
      gameId,
      takesOwn: true,
      set: {
        started_at: sql`coalesce(started_at, clock_now())`,
        call_count: 0,
        planned_call_count: null,
        line_count: 0,
        waiting_until: null,
      },
      where: sql<boolean>`(${among.pullId ?? null}::bigint is null or waiting.pull_id = ${among.pullId ?? null})
        and not (waiting.requested_by = ${SCHEDULE} and exists (select from pull_schedule where game_id = ${gameId} and paused_at is not null))
        and not exists (select from rate_bucket where game_id = ${gameId} and bucket = 'aggregate' and least(asked_until, probe_at) > clock_now())`,
      order: sql`waiting.requested_at, waiting.pull_id`,
    });
    if (claimed !== null) return { gameId, pullId: claimed.pull_id, owner };
  }
  return null;
}

export interface PullProgress {
  calls: number;
  plannedCalls: number;
  lines: number;
  activity: string;
  waitingUntil: string | null;
}

/** Writes how far a pull is and renews its lease. Throws `LeaseLost` when another process has it. */
export async function recordProgress(db: Db, lease: Lease, progress: PullProgress): Promise<void> {
  await PULLS.renew(db, lease, {
    call_count: progress.calls,
    planned_call_count: progress.plannedCalls,
    line_count: progress.lines,
    activity: progress.activity,
    waiting_until: progress.waitingUntil,
  });
}

/** Gives a pull back unfinished, for the next process to claim. Does nothing when another process has it. */
export async function releasePull(db: Db, lease: Lease): Promise<void> {
  await PULLS.release(db, lease, { waiting_until: null });
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
    return await PULLS.end(tx, lease, 'failed', {
      waiting_until: null,
      failure_code: code,
      failure_message: sentence,
      failure_error_id: errorId,
    });
  }
  const { snapshotId, calls, lines } = end;
  await PULLS.end(tx, lease, 'done', {
    waiting_until: null,
    snapshot_id: snapshotId,
    call_count: calls,
    planned_call_count: calls,
    line_count: lines,
  });
}

/** Makes sure, until the end of the transaction, that the pull is still this process's. Throws `LeaseLost` when it is not. */
export async function holdLease(tx: Db, lease: Lease): Promise<void> {
  await PULLS.hold(tx, lease);
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
