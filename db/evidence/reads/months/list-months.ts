import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import { type PullFacts, type PullRow, pullColumns, reshapePull } from '../pulls/find-pull.ts';
import { reshapeSnapshot, type SnapshotFacts, type SnapshotRow, snapshotColumns } from './snapshot-facts.ts';

/** What the book holds about one window. */
export interface WindowFacts {
  window: Window;
  /** The newest complete statement, else the newest of all; null: never pulled to an end. */
  snapshot: SnapshotFacts | null;
  /** The statement after a complete one that does not tie; null: there is none. */
  newer: { snapshotId: number; createdAt: string } | null;
  /** The last time Invo was asked again about the newest statement; null: never. */
  recheck: { checkedAt: string; isEqual: boolean; callCount: number } | null;
  /** The last job of the window; null: there was none. */
  pull: PullFacts | null;
}

interface WindowRow extends PullRow, SnapshotRow {
  newer_snapshot_id: number | null;
  newer_created_at: string | null;
  recheck_checked_at: string | null;
  recheck_is_equal: boolean | null;
  recheck_call_count: number | null;
}

/** What the book holds about each of these windows of a game, in the order asked. Four look-ups by key a window; no line is read. */
export async function listMonths(db: Db, gameId: number, windows: Window[]): Promise<WindowFacts[]> {
  const starts = windows.map(({ start }) => start);
  const ends = windows.map(({ end }) => end);
  const { rows } = await sql<WindowRow>`
    select ${snapshotColumns}, ${pullColumns},
      newer.snapshot_id as newer_snapshot_id, newer.created_at as newer_created_at,
      recheck.checked_at as recheck_checked_at, recheck.is_equal as recheck_is_equal, recheck.call_count as recheck_call_count
    from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality as asked (window_start, window_end, place)
    left join lateral (
      select * from current_snapshot c
      where c.game_id = ${gameId} and c.window_start = asked.window_start and c.window_end = asked.window_end
    ) snapshot on true
    left join lateral (
      select n.snapshot_id, n.created_at from snapshot n
      where n.game_id = ${gameId} and n.window_start = asked.window_start and n.window_end = asked.window_end
        and n.snapshot_id > snapshot.snapshot_id and n.standing = 'inconsistent'
      order by n.snapshot_id desc limit 1
    ) newer on snapshot.standing = 'complete'
    left join lateral (
      select r.checked_at, r.is_equal, r.call_count from recheck r
      where r.game_id = ${gameId} and r.snapshot_id = snapshot.snapshot_id
      order by r.recheck_id desc limit 1
    ) recheck on true
    left join lateral (
      select * from pull p
      where p.game_id = ${gameId} and p.window_start = asked.window_start and p.window_end = asked.window_end
      order by p.pull_id desc limit 1
    ) pull on true
    order by asked.place`.execute(db);
  return windows.map((window, place) => reshapeWindow(window, rows[place]));
}

function reshapeWindow(window: Window, row: WindowRow | undefined): WindowFacts {
  if (!row) throw new Error(`no row came for the window from ${window.start}`);
  const { newer_snapshot_id: newerId, newer_created_at: newerAt, recheck_checked_at: checkedAt } = row;
  return {
    window,
    snapshot: reshapeSnapshot(row),
    newer: newerId === null || newerAt === null ? null : { snapshotId: newerId, createdAt: newerAt },
    recheck: checkedAt === null ? null : { checkedAt, isEqual: row.recheck_is_equal === true, callCount: row.recheck_call_count ?? 0 },
    pull: reshapePull(row),
  };
}
