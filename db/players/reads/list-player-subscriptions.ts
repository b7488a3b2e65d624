import type { Db } from '#db/kit/open.ts';

// Subscriptions of one player that earlier look-ups named, as far as a page shows them.
const KNOWN_SUBSCRIPTIONS_MAX = 200;

export interface PlayerSubscription {
  subscriptionId: string;
  itemName: string | null;
  /** In Invo's word, when last seen. */
  status: string | null;
  seenAt: string;
}

/** The subscriptions of a player that were ever looked at here, those seen last first; there may be more at Invo. */
export async function listPlayerSubscriptions(db: Db, gameId: number, playerId: number): Promise<PlayerSubscription[]> {
  return await db
    .selectFrom('known_subscription')
    .where('game_id', '=', gameId)
    .where('player_id', '=', playerId)
    .orderBy('seen_at', 'desc')
    .orderBy('subscription_id')
    .limit(KNOWN_SUBSCRIPTIONS_MAX)
    .select(['subscription_id as subscriptionId', 'item_name as itemName', 'status', 'seen_at as seenAt'])
    .execute();
}
