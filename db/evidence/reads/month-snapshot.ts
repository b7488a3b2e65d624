import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { addMonths, listMonths, type Month, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { parseSnapshotStatus, type SnapshotStatus } from '#lib/evidence/rules/evidence.ts';
import type { SheetSnapshot } from './sheet-rows.ts';

/** The snapshot of one month that a list reads from, and those of the months before it for comparison. */
export interface MonthSnapshot {
  snapshot: SheetSnapshot;
  month: Month;
  timeZone: string;
  status: SnapshotStatus;
  coveredUntil: string;
  /** The newest snapshot of the month; another than this one's when the list is stale. */
  newestSnapshotId: number;
  /** Six months, oldest first, this one last; NULL id: never pulled or not complete. */
  recent: { month: Month; snapshotId: number | null }[];
  /** The month before, only when it is complete. */
  previousSnapshotId: number | null;
  /** Whether any complete snapshot ends at or before this window: without one no recipient can be called new. */
  hasEarlier: boolean;
}

interface FoundSnapshot {
  snapshot_id: number;
  window_start: string;
  window_end: string;
  status: string;
  covered_until: string;
}

const COLUMNS = ['snapshot_id', 'window_start', 'window_end', 'status', 'covered_until'] as const;

/** Finds the snapshot of a month: the current one, or an older one by its id; null when there is none. */
export async function findMonthSnapshot(db: Db, game: GameRef, month: Month, snapshotId?: number): Promise<MonthSnapshot | null> {
  const months = listMonths(addMonths(month, -5), month);
  const windows = months.map((each) => monthWindow(each, game.timeZone));
  const own = windows.at(-1);
  if (!own) return null;
  const current = await db
    .selectFrom('current_window')
    .select(COLUMNS)
    .select(hasCompleteBefore(game.gameId, own.start).as('has_earlier'))
    .where('game_id', '=', game.gameId)
    .where(
      'window_start',
      'in',
      windows.map((window) => window.start),
    )
    .execute();
  const newest = current.find((row) => isOf(row, own));
  if (!newest) return null;
  const isNewest = snapshotId === undefined || snapshotId === newest.snapshot_id;
  const row = isNewest ? newest : await findOlder(db, game.gameId, own, snapshotId);
  if (!row) return null;
  const recent = months.map((each, index) => ({
    month: each,
    snapshotId: idOf(index === months.length - 1 ? row : current.find((one) => isOf(one, windows[index])), each === month),
  }));
  return {
    snapshot: {
      gameId: game.gameId,
      slug: game.slug,
      environment: game.environment,
      snapshotId: row.snapshot_id,
      windowStart: own.start,
      windowEnd: own.end,
    },
    month,
    timeZone: game.timeZone,
    status: parseSnapshotStatus(row.status),
    coveredUntil: row.covered_until,
    newestSnapshotId: newest.snapshot_id,
    recent,
    previousSnapshotId: recent.at(-2)?.snapshotId ?? null,
    hasEarlier: newest.has_earlier,
  };
}

function idOf(row: FoundSnapshot | undefined, isThis: boolean): number | null {
  return row && (isThis || row.status === 'complete') ? row.snapshot_id : null;
}

async function findOlder(db: Db, gameId: number, window: Window, snapshotId: number): Promise<FoundSnapshot | undefined> {
  const row = await db
    .selectFrom('snapshot')
    .select(COLUMNS)
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst();
  return row && isOf(row, window) ? row : undefined;
}

/** Whether a complete window ends at or before an instant. */
function hasCompleteBefore(gameId: number, start: string): RawBuilder<boolean> {
  return sql`exists (select from current_window earlier
    where earlier.game_id = ${gameId} and earlier.status = 'complete' and earlier.window_end <= ${start}::timestamptz)`;
}

function isOf(row: { window_start: string; window_end: string }, window: Window | undefined): boolean {
  return window !== undefined && compareInstants(row.window_start, window.start) === 0 && compareInstants(row.window_end, window.end) === 0;
}
