import type { Db } from './open.ts';

export interface StoredGame {
  gameId: number;
  invoGameId: string | null;
}

/** Finds the row of a configured game, or makes it; its name and time zone follow the configuration. */
export async function ensureGame(db: Db, game: { slug: string; environment: string; name: string; timeZone: string }): Promise<StoredGame> {
  const values = { slug: game.slug, environment: game.environment, name: game.name, time_zone: game.timeZone };
  const row = await db
    .insertInto('game')
    .values(values)
    .onConflict((conflict) => conflict.columns(['slug', 'environment']).doUpdateSet({ name: game.name, time_zone: game.timeZone }))
    .returning(['game_id', 'invo_game_id'])
    .executeTakeFirstOrThrow();
  return { gameId: row.game_id, invoGameId: row.invo_game_id };
}

/** Pins Invo's game_id of a game that had none; returns the pinned one, which is another if somebody was faster. */
export async function pinInvoGame(db: Db, gameId: number, invoGameId: string): Promise<string> {
  await db.updateTable('game').set({ invo_game_id: invoGameId }).where('game_id', '=', gameId).where('invo_game_id', 'is', null).execute();
  const row = await db.selectFrom('game').select('invo_game_id').where('game_id', '=', gameId).executeTakeFirstOrThrow();
  return row.invo_game_id ?? invoGameId;
}

/** Notes that Invo refused the current secret of a game and took the previous one. */
export async function recordPreviousSecretUsed(db: Db, gameId: number, now: string): Promise<void> {
  await db.updateTable('game').set({ previous_secret_used_at: now }).where('game_id', '=', gameId).execute();
}
