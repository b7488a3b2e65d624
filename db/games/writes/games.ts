import type { Db } from '#db/kit/open.ts';
import type { Game } from '#lib/core/game.ts';

type NamedGame = Pick<Game, 'slug' | 'environment' | 'name' | 'timeZone'>;
type StoredGame = Pick<Game, 'gameId' | 'invoGameId'>;

/**
 * Finds the row of a configured game, or makes it; its name and time zone follow the configuration. Asked for at every turn of a worker
 * and on every page: it writes only what the book does not know.
 */
export async function ensureGame(db: Db, game: NamedGame): Promise<StoredGame> {
  const known = await db
    .selectFrom('game')
    .select(['game_id as gameId', 'invo_game_id as invoGameId'])
    .where('slug', '=', game.slug)
    .where('environment', '=', game.environment)
    .where('name', '=', game.name)
    .where('time_zone', '=', game.timeZone)
    .executeTakeFirst();
  return known ?? (await writeGame(db, game));
}

async function writeGame(db: Db, { slug, environment, name, timeZone: time_zone }: NamedGame): Promise<StoredGame> {
  return await db
    .insertInto('game')
    .values({ slug, environment, name, time_zone })
    .onConflict((conflict) => conflict.columns(['slug', 'environment']).doUpdateSet({ name, time_zone }))
    .returning(['game_id as gameId', 'invo_game_id as invoGameId'])
    .executeTakeFirstOrThrow();
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
