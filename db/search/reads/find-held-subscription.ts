import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A subscription that is held, with what tells it from another. */
export interface HeldSubscription {
  subscriptionId: string;
  itemName: string | null;
  /** In Invo's word, when last seen. */
  status: string | null;
  playerId: number | null;
}

/** A subscription as a look-up brought it last, else as its newest line names it; null when nothing of it is held. */
export async function findHeldSubscription(db: Db, gameId: number, subscriptionId: string): Promise<HeldSubscription | null> {
  const known = await db
    .selectFrom('known_subscription')
    .where('game_id', '=', gameId)
    .where('subscription_id', '=', subscriptionId)
    .select(['item_name as itemName', 'status', 'player_id as playerId'])
    .executeTakeFirst();
  if (known) return { subscriptionId, ...known };
  const line = await db
    .selectFrom('renewal_line')
    .where('game_id', '=', gameId)
    .where('subscription_id', '=', subscriptionId)
    .orderBy('period_seq', (order) => order.desc().nullsLast())
    .limit(1)
    .select('item_name')
    .executeTakeFirst();
  const isHeld = line !== undefined || (await hasReversal(db, gameId, subscriptionId));
  return isHeld ? { subscriptionId, itemName: line?.item_name ?? null, status: null, playerId: null } : null;
}

async function hasReversal(db: Db, gameId: number, subscriptionId: string): Promise<boolean> {
  const reversal = await db
    .selectFrom('reversal_line')
    .where('game_id', '=', gameId)
    .where('subscription_id', '=', subscriptionId)
    .limit(1)
    .select(sql`1`.as('one'))
    .executeTakeFirst();
  return reversal !== undefined;
}
