import { heldKeys, streamList } from '#db/kit/list.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { rankList } from '#db/kit/rank-list.ts';
import type { GameRef } from '../core/game.ts';
import { monthOfWindow } from '../core/month.ts';
import { monthSnapshotOf } from './reads/month-snapshot.ts';
import { RECIPIENTS } from './reads/recipients-sheet.ts';
import { type CompleteWindow, listComparedSnapshots, listCompleteWindows } from './reads/renditions.ts';
import type { SheetSource } from './reads/sheet-source.ts';
import { type Comparison, type ComparisonHead, HEAD_ROWS, RENDITION_VERSION, TABLE_ROWS_MAX } from './rules/rendered-sheet.ts';
import { lockCurrentSnapshots, type NewComparison, packPart, upsertComparisons } from './writes/renditions.ts';

/** Times a comparison is made again because a snapshot became current meanwhile; the next job continues. */
const TRIES = 3;

/**
 * Compares the recipients of every complete month that is not compared yet with the months before it, and stores the result. It is made
 * without a lock, and stored only while the snapshots it was made from are still current.
 */
export async function compareMonths({ db, ...game }: GameRef & { db: Db }): Promise<void> {
  const { gameId } = game;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const windows = await listCompleteWindows(db, gameId);
    const compared = await listComparedSnapshots(db, gameId, RENDITION_VERSION);
    const due = await makeComparisons(db, game, windows, (snapshotId) => !compared.has(snapshotId));
    if (due.length === 0) return;
    const isStored = await inTransaction(db, async (trx) => {
      await lockCurrentSnapshots(trx, gameId);
      const now = await listCompleteWindows(trx, gameId);
      if (now.map((window) => window.snapshotId).join() !== windows.map((window) => window.snapshotId).join()) return false;
      await upsertComparisons(trx, gameId, RENDITION_VERSION, due);
      return true;
    });
    if (isStored) return;
  }
}

/** Makes the comparisons of the complete months among these windows that are wanted. Writes nothing. */
export async function makeComparisons(
  db: Db,
  game: GameRef,
  windows: CompleteWindow[],
  isWanted: (snapshotId: number) => boolean,
): Promise<NewComparison[]> {
  const current = windows.map(({ snapshotId, start, end }) => ({
    snapshot_id: snapshotId,
    window_start: start,
    window_end: end,
    status: 'complete',
    covered_until: end,
  }));
  const made: NewComparison[] = [];
  for (const { snapshotId, start, end } of windows) {
    const month = monthOfWindow({ start, end }, game.timeZone);
    const found = month === null || !isWanted(snapshotId) ? null : monthSnapshotOf(game, month, current);
    if (found !== null)
      made.push({ window: { start, end }, snapshotId, ...(await compareMonth(db, { ...found, canSeeEmails: false, recipient: null })) });
  }
  return made;
}

/** What of a month's recipients changes with other months; without rows where a browser may not hold them. */
async function compareMonth(db: Db, source: SheetSource): Promise<Pick<NewComparison, 'head' | 'body' | 'sha256'>> {
  const { count, orders, chips, sums } = await rankList(db, RECIPIENTS, source, 'beside');
  const columns: Record<string, unknown[]> = Object.fromEntries(heldKeys(RECIPIENTS, 'beside').map((key) => [key, []]));
  const isTooLong = count > TABLE_ROWS_MAX;
  if (!isTooLong) {
    for await (const row of streamList(db, RECIPIENTS, source, 'beside'))
      for (const [key, values] of Object.entries(columns)) values.push(row[key] ?? null);
  }
  const head: ComparisonHead = {
    columns: Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, values.slice(0, HEAD_ROWS)])),
    months: source.recent.map(({ month }) => month),
    hasPrevious: source.previousSnapshotId !== null,
    counts: Object.fromEntries(Object.entries(chips).map(([chip, rows]) => [chip, rows.length])),
    sums: sums['all'] ?? {},
  };
  const all: Comparison = isTooLong ? { columns: {}, orders: {}, chips: {}, sums: {} } : { columns, orders, chips, sums };
  return { head: JSON.stringify(head), ...(await packPart(all)) };
}
