import type { Db } from '../../open.ts';

/** A refund that waits for approval; null when there is none of that id, or it waits no more. */
export async function findWaiting(db: Db, gameId: number, refundId: number): Promise<{ requested_by: string; amount_usd: string } | null> {
  const found = await db
    .selectFrom('refund')
    .select(['requested_by', 'amount_usd'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('state', '=', 'awaiting_approval')
    .executeTakeFirst();
  return found ?? null;
}
