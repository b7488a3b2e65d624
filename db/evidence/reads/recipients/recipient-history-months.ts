import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { type Month, monthOfWindow } from '#lib/core/month.ts';

export interface StatedMonth {
  month: Month;
  snapshotId: number;
  standing: string;
  coveredUntil: string;
}

/** The current statement of every calendar month of a game, newest first; other windows are left out, they would count twice. */
export async function listStatedMonths(db: Db, game: GameRef): Promise<StatedMonth[]> {
  const found = await db
    .selectFrom('current_snapshot')
    .select(['snapshot_id', 'window_start', 'window_end', 'standing', 'covered_until'])
    .where('game_id', '=', game.gameId)
    .execute();
  return found
    .toSorted((a, b) => compareInstants(b.window_start, a.window_start))
    .flatMap((row) => {
      const month = monthOfWindow({ start: row.window_start, end: row.window_end }, game.timeZone);
      return month === null ? [] : [{ month, snapshotId: row.snapshot_id, standing: row.standing, coveredUntil: row.covered_until }];
    });
}

/** Those of them that are complete. */
export async function listCompleteMonths(db: Db, game: GameRef): Promise<StatedMonth[]> {
  return (await listStatedMonths(db, game)).filter((month) => month.standing === 'complete');
}
