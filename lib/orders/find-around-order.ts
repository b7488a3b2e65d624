import type { OpenGame } from '../games/open-game.ts';
import { type EventAbout, findEventsAbout } from '../webhooks/find-deliveries.ts';
import type { Subject } from '../webhooks/rules/event.ts';
import type { OrderInBooks } from './read-order.ts';
import { findMintedPeriod, type MintedPeriod } from './reads.ts';
import { ORDER_BOOKS } from './rules/order.ts';

/** What Sharebook stored about an order: the webhooks that name it, newest first, and the period it charged; null: none is known. */
export interface AroundOrder {
  events: EventAbout[];
  minted: MintedPeriod | null;
}

/**
 * Finds what is stored about an order by every ID it has: the requested one and those in its answers. A page opened by a payment's ID
 * would otherwise miss the webhooks that name the order only.
 */
export async function findAroundOrder(
  game: Pick<OpenGame, 'db' | 'gameId'>,
  requestedId: string,
  books: OrderInBooks,
): Promise<AroundOrder> {
  const orders = ORDER_BOOKS.flatMap((book) => {
    const read = books[book];
    return 'value' in read ? [read.value] : [];
  });
  const subjects = (kind: Subject['kind'], ids: (string | null)[]): Subject[] =>
    ids.filter((id) => id !== null).map((idText) => ({ kind, idText }));
  const orderIds = [...new Set([requestedId, ...orders.map(({ orderId }) => orderId)])].filter((id) => id !== null);
  const [events, ...periods] = await Promise.all([
    findEventsAbout(game, [
      ...subjects('order', orderIds),
      ...subjects(
        'transaction',
        orders.map(({ transactionId }) => transactionId),
      ),
      ...subjects(
        'payment_intent',
        orders.map(({ paymentIntentId }) => paymentIntentId),
      ),
    ]),
    ...orderIds.map((orderId) => findMintedPeriod(game.db, game.gameId, orderId)),
  ]);
  return { events, minted: periods.find((period) => period !== null) ?? null };
}
