import { sql } from 'kysely';
import { recordAudit } from '#db/audit/writes.ts';
import { type Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';

/** How long a process may be silent before another takes its pull over. */
const LEASE_SECONDS = 45;

/** The right to work on one pull, held by one process. */
export interface Lease {
  gameId: number;
  pullId: number;
  owner: string;
}

/** Another process has taken the pull over; nothing more may be written for it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface NewPull {
  gameId: number;
  window: Window;
  isFresh: boolean;
  requestedBy: string;
}

/** Whose name a pull of the schedule has. */
export const SCHEDULE = 'schedule';

/**
 * Queues a pull of a window, with its audit row, unless one of the same window is at work; returns that one then. One that the schedule queued
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
 * Takes the oldest pull of these games to work on it, or that very one: queued, left by a process that fell silent, or left by the caller itself,
 * who works on one pull of a game at a time. Those of the schedule wait while a person has paused it, and those of a game while Invo asked it for a long wait. null when there is none, or it is at work elsewhere.
 */
export async function claimPull(db: Db, owner: string, among: { gameIds: number[]; pullId?: number }): Promise<Lease | null> {
  if (among.gameIds.length === 0) return null;
  const claimed = await db
    .updateTable('pull')
    .set({
      state: 'running',
      lease_owner: owner,
      lease_until: sql<string>`clock_now() + make_interval(secs => ${LEASE_SECONDS})`,
      attempt_count: sql<number>`attempt_count + 1`,
      started_at: sql<string>`coalesce(started_at, clock_now())`,
      call_count: 0,
      planned_call_count: null,
      line_count: 0,
      waiting_until: null,
    })
    .where(({ eb, selectFrom, refTuple }) => {
      const next = selectFrom('pull as waiting')
        .select(['waiting.game_id', 'waiting.pull_id'])
        .where(
          // In parentheses of its own: joined bare to the conditions below, its OR would let any queued pull of any game through.
          sql<boolean>`(waiting.state = 'queued' or (waiting.state = 'running' and (waiting.lease_until < clock_now() or waiting.lease_owner = ${owner})))`,
        )
        .where('waiting.game_id', 'in', among.gameIds)
        .where(({ not, and, exists, eb, selectFrom }) =>
          not(
            and([
              eb('waiting.requested_by', '=', SCHEDULE),
              exists(
                selectFrom('pull_schedule')
                  .whereRef('pull_schedule.game_id', '=', 'waiting.game_id')
                  .where('pull_schedule.paused_at', 'is not', null)
                  .select('pull_schedule.game_id'),
              ),
            ]),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('rate_bucket')
                .whereRef('rate_bucket.game_id', '=', 'waiting.game_id')
                .where('rate_bucket.bucket', '=', 'aggregate')
                .where(sql<boolean>`least(rate_bucket.asked_until, rate_bucket.probe_at) > clock_now()`)
                .select('rate_bucket.game_id'),
            ),
          ),
        )
        .$if(among.pullId !== undefined, (query) => query.where('waiting.pull_id', '=', among.pullId ?? 0))
        .orderBy('waiting.requested_at')
        .orderBy('waiting.pull_id')
        .limit(1)
        .forUpdate()
        .skipLocked();
      return eb(refTuple('game_id', 'pull_id'), 'in', next.$asTuple('game_id', 'pull_id'));
    })
    .returning(['game_id', 'pull_id'])
    .executeTakeFirst();
  return claimed ? { gameId: claimed.game_id, pullId: claimed.pull_id, owner } : null;
}

export interface PullProgress {
  calls: number;
  plannedCalls: number;
  lines: number;
  activity: string;
  waitingUntil: string | null;
}

/** Writes how far a pull is and keeps its lease alive. Throws `LeaseLost` when another process has it. */
export async function recordProgress(db: Db, lease: Lease, progress: PullProgress): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('pull')
    .set({
      call_count: progress.calls,
      planned_call_count: progress.plannedCalls,
      line_count: progress.lines,
      activity: progress.activity,
      waiting_until: progress.waitingUntil,
      lease_until: sql<string>`clock_now() + make_interval(secs => ${LEASE_SECONDS})`,
    })
    .where('game_id', '=', lease.gameId)
    .where('pull_id', '=', lease.pullId)
    .where('lease_owner', '=', lease.owner)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new LeaseLost(`pull ${lease.pullId} is no longer ours`);
}

/** Gives a pull back unfinished, for the next process to claim. Does nothing when another process has it. */
export async function releasePull(db: Db, lease: Lease): Promise<void> {
  await db
    .updateTable('pull')
    .set({ state: 'queued', lease_owner: null, lease_until: null, waiting_until: null })
    .where('game_id', '=', lease.gameId)
    .where('pull_id', '=', lease.pullId)
    .where('lease_owner', '=', lease.owner)
    .where('state', '=', 'running')
    .execute();
}

/** Gives a pull back because Invo asked for a long wait; it is claimed again when a call may be made, and this attempt doesn't count. */
export async function deferPull(db: Db, lease: Lease, until: string): Promise<void> {
  await db
    .updateTable('pull')
    .set({
      state: 'queued',
      lease_owner: null,
      lease_until: null,
      waiting_until: until,
      attempt_count: sql<number>`greatest(0, attempt_count - 1)`,
    })
    .where('game_id', '=', lease.gameId)
    .where('pull_id', '=', lease.pullId)
    .where('lease_owner', '=', lease.owner)
    .where('state', '=', 'running')
    .execute();
}

export type PullEnd = { snapshotId: number; calls: number; lines: number } | { code: string; sentence: string; errorId: string | null };

/** Ends a pull, with a snapshot or a failure. Ending it twice does no harm; throws `LeaseLost` when another process has it. */
export async function endPull(tx: Db, lease: Lease, end: PullEnd): Promise<void> {
  await holdLease(tx, lease);
  const ended = {
    state: 'code' in end ? 'failed' : 'done',
    snapshotId: null,
    calls: null,
    lines: null,
    code: null,
    sentence: null,
    errorId: null,
    ...end,
  };
  await sql`update pull set state = ${ended.state}, ended_at = clock_now(), lease_owner = null, lease_until = null, waiting_until = null, snapshot_id = ${ended.snapshotId},
       failure_code = ${ended.code}, failure_message = ${ended.sentence}, failure_error_id = ${ended.errorId},
       call_count = coalesce(${ended.calls}, call_count), planned_call_count = coalesce(${ended.calls}, planned_call_count), line_count = coalesce(${ended.lines}, line_count)
     where game_id = ${lease.gameId} and pull_id = ${lease.pullId}`.execute(tx);
}

/** Makes sure, until the end of the transaction, that the pull is still ours. Throws `LeaseLost` when it is not. */
export async function holdLease(tx: Db, lease: Lease): Promise<void> {
  const rowCount = (
    await sql`select 1 from pull where game_id = ${lease.gameId} and pull_id = ${lease.pullId} and lease_owner = ${lease.owner} and state = 'running' for update`.execute(
      tx,
    )
  ).rows.length;
  if (rowCount === 0) throw new LeaseLost(`pull ${lease.pullId} is no longer ours`);
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
