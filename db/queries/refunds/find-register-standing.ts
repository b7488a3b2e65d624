import { sql } from 'kysely';
import { ENDED_STATES, PERSON_STATES } from '../../../lib/domain/refund/refund-state.ts';
import type { Db } from '../../open.ts';

/** How the register of a game stands. */
export interface RegisterStanding {
  count: number;
  /** Some of them move on by themselves. */
  isMoving: boolean;
  /** Another text whenever what the register shows is another. */
  token: string;
}

/** Reads how the register stands, so that a screen knows whether to look again and whether what it drew is old. */
export async function findRegisterStanding(db: Db, gameId: number): Promise<RegisterStanding> {
  const resting = [...ENDED_STATES, ...PERSON_STATES];
  const row = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .select([
      sql<number>`count(*)`.as('count'),
      sql<boolean>`coalesce(bool_or(state not in (${sql.join(resting)})), false)`.as('moving'),
      sql<string>`concat(count(*), ' ', max(state_since), ' ', max(reversal_seen_at), ' ', md5(string_agg(owner_id, ',' order by refund_id)))`.as(
        'token',
      ),
    ])
    .executeTakeFirstOrThrow();
  return { count: row.count, isMoving: row.moving, token: row.token };
}
