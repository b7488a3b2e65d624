import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { parseSnapshotStatus, type Snapshot } from '../rules/evidence.ts';

/** The snapshot whose rows are read, and the facts about it that are repeated in every row of a sheet. */
export interface SheetSnapshot {
  gameId: number;
  /** The game in addresses and files. */
  slug: string;
  environment: string;
  snapshotId: number;
  /** First instant, ISO 8601 ending in Z. */
  windowStart: string;
  /** Up to, not including. */
  windowEnd: string;
}

/** The snapshot of one month that a list reads from, and those of the months before it for comparison. */
export interface MonthSnapshot extends Pick<Snapshot, 'status' | 'coveredUntil'> {
  snapshot: SheetSnapshot;
  month: Month;
  timeZone: string;
  /** The newest snapshot of the month; another than this one's when the list is stale. */
  newestSnapshotId: number;
  /** Six months, oldest first, this one last; NULL id: never pulled or not complete. */
  recent: { month: Month; snapshotId: number | null }[];
  /** The month before, only when it is complete. */
  previousSnapshotId: number | null;
  /** Whether any complete snapshot ends at or before this window: without one no recipient can be called new. */
  hasEarlier: boolean;
}

/** The current snapshot of a window: the newest complete one, otherwise the newest. */
export interface CurrentWindow {
  snapshot_id: number;
  window_start: string;
  window_end: string;
  status: string;
  covered_until: string;
}

/** The columns of a current window, or of any snapshot. */
export const WINDOW_COLUMNS = ['snapshot_id', 'window_start', 'window_end', 'status', 'covered_until'] as const;

/** Finds the snapshot of a month: the current one, or an older one by its id; null when there is none. */
export async function findMonthSnapshot(db: Db, game: GameRef, month: Month, snapshotId?: number): Promise<MonthSnapshot | null> {
  const windows = await db.selectFrom('current_window').select(WINDOW_COLUMNS).where('game_id', '=', game.gameId).execute();
  const current = monthSnapshotOf(game, month, windows);
  if (current === null || snapshotId === undefined || snapshotId === current.newestSnapshotId) return current;
  const older = await db
    .selectFrom('snapshot')
    .select(WINDOW_COLUMNS)
    .where('game_id', '=', game.gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst();
  return older === undefined ? null : monthSnapshotOf(game, month, windows, older);
}

/** The snapshot of a month among the current windows of its game, or an older one of the month; null when it has none, or the older one is of another window. */
export function monthSnapshotOf(game: GameRef, month: Month, current: CurrentWindow[], older?: CurrentWindow): MonthSnapshot | null {
  const own = monthWindow(month, game.timeZone);
  const newest = current.find((row) => isOf(row, own));
  const shown = older ?? newest;
  if (!newest || !shown || !isOf(shown, own)) return null;
  const before = listMonths(addMonths(month, -5), addMonths(month, -1)).map((each) => {
    const row = current.find((one) => one.status === 'complete' && isOf(one, monthWindow(each, game.timeZone)));
    return { month: each, snapshotId: row?.snapshot_id ?? null };
  });
  return {
    snapshot: {
      gameId: game.gameId,
      slug: game.slug,
      environment: game.environment,
      snapshotId: shown.snapshot_id,
      windowStart: own.start,
      windowEnd: own.end,
    },
    month,
    timeZone: game.timeZone,
    status: parseSnapshotStatus(shown.status),
    coveredUntil: shown.covered_until,
    newestSnapshotId: newest.snapshot_id,
    recent: [...before, { month, snapshotId: shown.snapshot_id }],
    previousSnapshotId: before.at(-1)?.snapshotId ?? null,
    hasEarlier: current.some((row) => row.status === 'complete' && compareInstants(row.window_end, own.start) <= 0),
  };
}

function isOf(row: { window_start: string; window_end: string }, window: Window): boolean {
  return compareInstants(row.window_start, window.start) === 0 && compareInstants(row.window_end, window.end) === 0;
}
