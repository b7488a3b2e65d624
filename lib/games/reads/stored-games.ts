import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Game } from '#lib/core/game.ts';

/** The row of a game as an object; a fragment, so that another statement can bring the games along. */
export const STORED_GAME = sql<Game>`json_build_object('gameId', game_id, 'invoGameId', invo_game_id, 'slug', slug,
  'environment', environment, 'name', name, 'timeZone', time_zone)`;

/** Lists every game that was ever configured, in no order. */
export async function listStoredGames(db: Db): Promise<Game[]> {
  const rows = await db.selectFrom('game').select(STORED_GAME.as('game')).execute();
  return rows.map(({ game }) => game);
}

/** Finds until when Invo allows a game no call of a kind; null: it allows them. */
export async function findLongWait(db: Db, gameId: number, bucket: string): Promise<string | null> {
  const row = await db
    .selectFrom('rate_bucket')
    .select('asked_until')
    .where('game_id', '=', gameId)
    .where('bucket', '=', bucket)
    .where('asked_until', '>', sql<string>`clock_now()`)
    .executeTakeFirst();
  return row?.asked_until ?? null;
}

/** Counts for monitoring: no names, no amounts. */
export interface OperatingFigures {
  pulls: { state: string; count: number }[];
  refunds: { state: string; count: number }[];
  /** Open desk actions, with the seconds since the oldest one entered its state. */
  actions: { state: string; count: number; oldest_seconds: number }[];
  /** Requests to Invo in the last minute, by game and budget; the budgets of single subscriptions are one sum. */
  calls: { game: string; environment: string; budget: string; count: number }[];
}

/** Counts pulls, refunds and open desk actions by state, and the used rate budget of each game. */
export async function readOperatingFigures(db: Db): Promise<OperatingFigures> {
  const [pulls, refunds, actions, calls] = await Promise.all([
    db
      .selectFrom('pull')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
    db
      .selectFrom('refund')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
    db
      .selectFrom('desk_action')
      .select(({ fn }) => [
        'state',
        fn.countAll<number>().as('count'),
        sql<number>`floor(extract(epoch from clock_now() - min(state_since)))::int`.as('oldest_seconds'),
      ])
      .where('ended_at', 'is', null)
      .groupBy('state')
      .execute(),
    db
      .selectFrom('rate_call')
      .innerJoin('game', 'game.game_id', 'rate_call.game_id')
      .select(({ fn }) => [
        'game.slug as game',
        'game.environment',
        sql<string>`split_part(bucket, ':', 1)`.as('budget'),
        fn.countAll<number>().as('count'),
      ])
      .where('called_at', '>', sql<string>`clock_now() - interval '1 minute'`)
      .groupBy(['game.slug', 'game.environment', 'budget'])
      .execute(),
  ]);
  return { pulls, refunds, actions, calls };
}
