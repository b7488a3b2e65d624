import { type Db, databaseInstant } from '#db/kit/open.ts';
import { newerValues } from '#db/kit/upsert.ts';
import { awaitsOrder } from '#lib/actions/writes/follow-readings.ts';
import { isKeyLength, keyOrNull } from '#lib/subscriptions/writes.ts';
import type { KnownOrder } from './reads.ts';

/** What one answer about an order says of it, for finding it again. */
export interface OrderFound extends Omit<KnownOrder, 'readAt'> {
  gameId: number;
  paymentIntentId: string | null;
  purchaseReference: string | null;
  /** When the request was sent, by `performance.now()`. */
  sentAt_ms: number;
}

/**
 * Records what Invo reported of an order. An id or a player missing this time stays; status and amount are those of the answer to the last request. An id
 * too long for an index is left out. Returns whether desk actions wait for the order.
 */
export async function recordOrder(db: Db, { gameId, book, orderId, amount, ...order }: OrderFound): Promise<boolean> {
  if (!isKeyLength(orderId)) return false;
  // A cluster takes no subquery in RETURNING.
  const stored = await db
    .with('stored', (qb) =>
      qb
        .insertInto('known_order')
        .values({
          game_id: gameId,
          book,
          order_id: orderId,
          player_id: order.playerId,
          status: order.status,
          transaction_id: keyOrNull(order.transactionId),
          payment_intent_id: keyOrNull(order.paymentIntentId),
          purchase_reference: keyOrNull(order.purchaseReference),
          amount_field: amount?.field ?? null,
          amount: amount?.amount ?? null,
          read_at: databaseInstant(order.sentAt_ms),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['game_id', 'book', 'order_id'])
            .doUpdateSet(
              newerValues('known_order', {
                columns: ['status', 'amount_field', 'amount', 'read_at'],
                retained: ['player_id', 'transaction_id', 'payment_intent_id', 'purchase_reference'],
              }),
            )
            .whereRef('known_order.read_at', '<=', 'excluded.read_at'),
        )
        .returning('order_id'),
    )
    .selectFrom('stored')
    .select(awaitsOrder(gameId, orderId).as('isAwaited'))
    .executeTakeFirst();
  return stored?.isAwaited ?? false;
}
