import { sql } from 'kysely';
import { PERSON_STATES } from '../../../lib/domain/refund/refund-state.ts';
import type { Db } from '../../open.ts';

/** How many refunds of a game wait for a person: for approval, or for two who say what happened. */
export async function countRefundsForPeople(db: Db, gameId: number): Promise<number> {
  const { count } = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .where('state', 'in', [...PERSON_STATES])
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
