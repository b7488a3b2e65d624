import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { OPEN_STATES, PERSON_STATES } from '#lib/refunds/rules/state.ts';

/** How the register of a game stands. */
export interface RegisterStanding {
  /** Nobody asked for a refund yet. */
  isEmpty: boolean;
  /** Some of them move on by themselves. */
  isMoving: boolean;
  /** Another text whenever what the register shows is another. */
  token: string;
}

/**
 * Reads how the register stands, so that a screen knows whether to look again and whether what it drew is old. A screen asks every few
 * seconds, so only open refunds are read one by one: one that ended changes in nothing but that its reversal is noticed.
 */
export async function findRegisterStanding(db: Db, gameId: number): Promise<RegisterStanding> {
  const { rows } = await sql<{ newest: number | null; is_moving: boolean; token: string }>`
    select newest, is_moving, concat(newest, ' ', reversal_seen_at, ' ', open_ones) as token
    from (select max(refund_id) as newest from refund where game_id = ${gameId}) as a,
      (select max(reversal_seen_at) as reversal_seen_at from refund where game_id = ${gameId}) as b,
      (select coalesce(bool_or(state not in (${sql.join([...PERSON_STATES])})), false) as is_moving,
         md5(string_agg(concat_ws(' ', refund_id, state_since, owner_id), ',' order by refund_id)) as open_ones
       from refund where game_id = ${gameId} and state in (${sql.join([...OPEN_STATES])})) as c`.execute(db);
  const { newest = null, is_moving = false, token = '' } = rows[0] ?? {};
  return { isEmpty: newest === null, isMoving: is_moving, token };
}
