import { TOTALS_COLUMNS } from '#db/evidence/columns.ts';
import type { Standing } from '#db/evidence/writes/snapshots.ts';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { JoinedTotals } from '#lib/evidence/rules/totals.ts';

export interface LastStatement {
  snapshotId: number;
  standing: Standing;
  sliceIds: number[];
  totals: JoinedTotals;
}

/** The statement a window stands by: the newest complete one, else the newest; null when it was never pulled. Feeds the re-check. */
export async function findLastStatement(db: Db, gameId: number, window: Window): Promise<LastStatement | null> {
  const row = await db
    .selectFrom('current_snapshot')
    .select(['snapshot_id', 'standing', ...TOTALS_COLUMNS])
    .where('game_id', '=', gameId)
    .where('window_start', '=', window.start)
    .where('window_end', '=', window.end)
    .executeTakeFirst();
  if (!row) return null;
  const slices = await db
    .selectFrom('snapshot_slice')
    .select('slice_id')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', row.snapshot_id)
    .orderBy('slice_no')
    .execute();
  const { snapshot_id, standing, ...totals } = row;
  return {
    snapshotId: snapshot_id,
    standing: standing as Standing,
    sliceIds: slices.map((slice) => slice.slice_id),
    totals: totals as JoinedTotals,
  };
}
