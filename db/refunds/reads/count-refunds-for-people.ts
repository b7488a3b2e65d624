import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { FOR_PEOPLE } from './for-people.ts';

/** How many refunds of a game wait for a person: for approval, for two who say what happened, or for a look at Invo. */
export async function countRefundsForPeople(db: Db, gameId: number): Promise<number> {
  const { count } = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .where(FOR_PEOPLE)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
