import { parseExactJson } from '#lib/core/exact-json.ts';
import { listPlayersOfEmail } from '#lib/players/reads.ts';
import type { OpenAction } from '../actions/reads/open-actions.ts';
import { followOrder } from '../actions/writes/follow-readings.ts';
import { parseRecordId } from '../core/typed-input.ts';
import type { Deadline, GameContext } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { isAbsent } from '../invo/invo-error.ts';
import { type ItemHistory, itemHistory, type OrderReading, orderShape, readItemPurchases, readOrder } from '../invo/undocumented/orders.ts';
import { type Detail, parseStoredAnswer, readDetail } from '../subscriptions/read-detail.ts';
import { type EventAbout, findEventsAbout } from '../webhooks/find-deliveries.ts';
import type { Subject } from '../webhooks/rules/event.ts';
import { findOrderContext, type KnownOrder, listOrderAnswers, type MintedPeriod } from './reads.ts';
import { amountOfOrder, ORDER_BOOKS, type OrderBook } from './rules/order.ts';
import { recordOrder } from './writes.ts';

/** Reads one order of the currency book by any of its ids: live, else stored. Throws an Error for a text that is no id. */
export async function readOrderDetail(context: GameContext, orderId: string, deadline: Deadline = {}): Promise<Detail<OrderReading>> {
  return await readFromBook(context, 'currency', orderId, deadline);
}

/** One id in both order books of Invo, which may both know it. */
export type OrderInBooks = Record<OrderBook, Detail<OrderReading>>;

/** Reads one id in both order books, each live or stored on its own. */
export async function readOrderInBooks(context: GameContext, orderId: string, deadline: Deadline = {}): Promise<OrderInBooks> {
  const [currency, items] = await Promise.all(ORDER_BOOKS.map((book) => readFromBook(context, book, orderId, deadline)));
  if (currency === undefined || items === undefined) throw new Error('there are two order books');
  return { currency, items };
}

async function readFromBook(context: GameContext, book: OrderBook, orderId: string, deadline: Deadline): Promise<Detail<OrderReading>> {
  if (parseRecordId(orderId) === null) throw new Error('not an order id');
  return await readDetail(
    context,
    {
      kind: book === 'currency' ? 'order' : 'item_order',
      subject: orderId,
      shape: orderShape(orderId),
      parse: parseExactJson,
      ask: (invo, signal) => readOrder(invo, book, orderId, signal),
      isNotFound: isAbsent,
      store: (order, sentAt_ms) => storeOrder(context, order, { book, requested: orderId, sentAt_ms }),
    },
    deadline,
  );
}

// An answer may name its order only by the requested ID.
async function storeOrder(
  { game }: GameContext,
  order: OrderReading,
  request: { book: OrderBook; requested: string; sentAt_ms: number },
): Promise<void> {
  const { status, transactionId, paymentIntentId, purchaseReference, amounts } = order;
  const playerId = order.playerId ?? (await findPlayerId({ game }, order.playerEmail));
  const isAwaited = await recordOrder(game.db, {
    gameId: game.gameId,
    book: request.book,
    orderId: order.orderId ?? request.requested,
    playerId,
    status,
    transactionId,
    paymentIntentId,
    purchaseReference,
    amount: amountOfOrder(amounts),
    sentAt_ms: request.sentAt_ms,
  });
  const orderId = order.orderId ?? request.requested;
  const link = linkOf(order);
  if (request.book === 'currency' && (isAwaited || link !== null))
    await followOrder(game.db, { gameId: game.gameId, orderId, status, playerId, link });
}

/** Our ID of a payment link in the metadata that Invo echoes; null: none. */
function linkOf({ metadata }: OrderReading): string | null {
  const link = typeof metadata === 'object' && metadata !== null && 'sharebook_link' in metadata ? metadata['sharebook_link'] : null;
  return typeof link === 'string' && UUID.test(link) ? link : null;
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Finds the one player an email is known of; null when there is none, or several had it. */
async function findPlayerId({ game }: Pick<GameContext, 'game'>, email: string | null): Promise<number | null> {
  if (email === null) return null;
  const players = await listPlayersOfEmail(game.db, game.gameId, email, 2);
  return players.length === 1 ? (players[0]?.playerId ?? null) : null;
}

/**
 * Lists when orders that were read were made, as Invo reported it (`created_at`), from their stored answers. An order that was requested by another of its
 * ids only, or whose answer has no such time, is listed without one.
 */
export async function listWithTimes<Order extends Pick<KnownOrder, 'book' | 'orderId'>>(
  game: Pick<OpenGame, 'db' | 'gameId'>,
  orders: readonly Order[],
): Promise<(Order & { createdAt: string | null })[]> {
  const answers = await Promise.all(
    ORDER_BOOKS.map(async (book) => {
      const ids = orders.filter((order) => order.book === book).map(({ orderId }) => orderId);
      return (await listOrderAnswers(game.db, game.gameId, book, ids)).map((answer) => ({ book, answer }));
    }),
  );
  const times = new Map<string, string>();
  for (const { book, answer } of answers.flat()) {
    const read = await parseStoredAnswer(answer, { shape: orderShape(answer.orderId), parse: parseExactJson });
    const made = read?.value.dates.find(({ field }) => field === 'created_at');
    if (made !== undefined) times.set(`${book} ${answer.orderId}`, made.at);
  }
  return orders.map((order) => ({ ...order, createdAt: times.get(`${order.book} ${order.orderId}`) ?? null }));
}

/** Reads what a player bought for coins: live, else stored. */
export async function readItemHistory(
  context: GameContext,
  { playerId, email }: { playerId: number; email: string },
  deadline: Deadline = {},
): Promise<Detail<ItemHistory>> {
  return await readDetail(
    context,
    {
      kind: 'item_history',
      subject: String(playerId),
      shape: itemHistory,
      parse: parseExactJson,
      ask: (invo, signal) => readItemPurchases(invo, email, signal),
      isNotFound: isAbsent,
    },
    deadline,
  );
}

/** What Sharebook stored about an order: the webhooks that name it, newest first, and the period it charged; null: none is known. */
export interface AroundOrder {
  events: EventAbout[];
  minted: MintedPeriod | null;
  openActions: OpenAction[];
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
  const [events, ...contexts] = await Promise.all([
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
    ...orderIds.map((orderId) => findOrderContext(game.db, game.gameId, orderId)),
  ]);
  const minted = contexts.map((each) => each.minted).find((period) => period !== null) ?? null;
  return { events, minted, openActions: contexts.flatMap(({ openActions }) => openActions) };
}
