import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** Counts for whoever watches Sharebook run: no names, no amounts. */
export interface OperatingFigures {
  pulls: { state: string; count: number }[];
  refunds: { state: string; count: number }[];
  /** Calls Invo was asked in the last minute, by game and budget; the budgets of single subscriptions are one sum. */
  calls: { game: string; environment: string; budget: string; count: number }[];
}

/** How many pulls and refunds are in which state, and how much of the rate budget of each game is in use. */
export async function readOperatingFigures(db: Db): Promise<OperatingFigures> {
  const [pulls, refunds, calls] = await Promise.all([
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
      .selectFrom('rate_call')
      .innerJoin('game', 'game.game_id', 'rate_call.game_id')
      .select(({ fn }) => [
        'game.slug as game',
        'game.environment',
        sql<string>`split_part(bucket, ':', 1)`.as('budget'),
        fn.countAll<number>().as('count'),
      ])
      .where('called_at', '>', sql<string>`clock_timestamp() - interval '1 minute'`)
      .groupBy(['game.slug', 'game.environment', 'budget'])
      .execute(),
  ]);
  return { pulls, refunds, calls };
}
