import type { Db } from '#db/kit/open.ts';

/** The first instant any pull of a game asked about; null when there was none. */
export async function findFirstWindowStart(db: Db, gameId: number): Promise<string | null> {
  const row = await db
    .selectFrom('pull')
    .where('game_id', '=', gameId)
    .orderBy('window_start')
    .limit(1)
    .select('window_start')
    .executeTakeFirst();
  return row?.window_start ?? null;
}
