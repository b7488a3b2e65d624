import { isSettled } from '../evidence/lines.ts';
import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Period, Player } from '../model.ts';
import { formatUsd } from '../money.ts';
import type { Book, Order } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { FORMER_IVO, SUPPORT_PEOPLE } from '../world/support-people.ts';

const BREE = SUPPORT_PEOPLE['bree.okoro'];
const ASA = SUPPORT_PEOPLE['asa.venn'];

// Bree Okoro has an order in each of the seven statuses; 08 is partly refunded (4.99 of 9.99) and 09 disputed, both still completed. 13 was charged on the
// day of 03, for the same amount.
const CURRENCY_ORDERS: readonly Order[] = [
  currencyOrder('01', 'pending_payment', '9.99', '999.00', { transaction_id: null }),
  currencyOrder('02', 'requires_action', '9.99', '999.00', { transaction_id: null, client_secret: 'pi_canary_client_secret' }),
  currencyOrder('03', 'completed', '9.99', '999.00', { metadata: { campaign: 'autumn', contact: 'bree.okoro@players.example' } }),
  currencyOrder('04', 'failed', '19.99', '1999.00', { transaction_id: null, failure_code: 'card_declined' }),
  currencyOrder('05', 'cancelled', '9.99', '999.00', { transaction_id: null }),
  currencyOrder('06', 'refunded', '4.99', '499.00', {}),
  currencyOrder('07', 'disputed_lost', '9.99', '999.00', { dispute_id: 'dp_bree_07' }),
  currencyOrder('08', 'completed', '9.99', '999.00', { usd_refunded: '4.99', fully_refunded: false }),
  currencyOrder('09', 'completed', '9.99', '999.00', { dispute_id: 'dp_bree_09' }),
  currencyOrder('10', 'held_for_review', '9.99', '999.00', {}),
  currencyOrder('13', 'completed', '9.99', '999.00', { created_at: '2026-11-03T10:24:00.000Z' }),
  // An id of digits alone, and one that is a transfer's too.
  { ...currencyOrder('11', 'completed', '9.99', '999.00', {}), orderId: '4100000000001' },
  { ...currencyOrder('12', 'completed', '9.99', '999.00', {}), orderId: 'TRF_FAILED' },
  { ...currencyOrder('14', 'completed', '7.50', '750.00', {}), orderId: 'ORD_IVO_01', transactionId: 'TXN_IVO_01', player: FORMER_IVO },
];

const ITEM_ORDERS: readonly Order[] = [
  itemOrder('01', 'Amber lantern', 3, '12.50', '37.50', '2026-11-19T09:12:00.000Z'),
  itemOrder('02', 'Harbour banner', 1, '250.00', '250.00', '2026-11-12T18:40:00.000Z'),
  itemOrder('03', '=HYPERLINK("http://x")', 2, '5.00', '10.00', '2026-10-30T07:05:00.000Z'),
  // One id that both books know.
  { ...itemOrder('04', 'Sail dye', 1, '40.00', '40.00', '2026-10-02T12:00:00.000Z'), orderId: 'ORD_BREE_05' },
];

function currencyOrder(tail: string, status: string, usd: string, coins: string, more: Json): Order {
  const createdMs = Date.UTC(2026, 10, Number(tail), 10, 20);
  const transactionId = 'transaction_id' in more ? null : `TXN_BREE_${tail}`;
  return {
    orderId: `ORD_BREE_${tail}`,
    transactionId,
    reference: `demo-purchase-${tail}`,
    player: BREE,
    fields: {
      order_status: status,
      usd_amount: usd,
      currency_amount: coins,
      currency_name: 'Lumens',
      rail: 'platform',
      payment_intent_id: `pi_bree_${tail}`,
      ...(transactionId === null ? {} : { charge_id: `ch_bree_${tail}` }),
      created_at: formatInstant(createdMs),
      updated_at: formatInstant(createdMs + 95_000),
      ...more,
    },
  };
}

function itemOrder(tail: string, name: string, quantity: number, unit: string, total: string, instant: string): Order {
  return {
    orderId: `ITO_ASA_${tail}`,
    transactionId: `TXN_ITEM_${tail}`,
    reference: `demo-item-${tail}`,
    player: ASA,
    fields: {
      order_status: 'completed',
      item_id: `item-${tail}`,
      item_name: name,
      item_quantity: quantity,
      unit_price: unit,
      total_price: total,
      created_at: instant,
    },
  };
}

type IdKind = 'order_id' | 'transaction_id' | 'purchase_reference';

/** The orders of a book, as they are now, and in the currency book the order that charged each billing period. */
export function findOrder(view: GameView, book: Book, by: IdKind, id: string): Order | null {
  const idOf = (order: Order): string | null =>
    by === 'order_id' ? order.orderId : by === 'transaction_id' ? order.transactionId : order.reference;
  const listed = ordersOf(view, book).find((order) => idOf(order) === id);
  if (listed !== undefined) return listed;
  if (view.world.gameId !== '41207') return null;
  const minted = book === 'currency' ? /^(?:MINT|TXN)_(\d{8,12})$/.exec(id)?.[1] : undefined;
  const period = minted === undefined ? null : view.period(Number(minted));
  const order = period !== null && isSettled(view, period) && !period.isWalletCovered ? mintOrder(view, period) : null;
  return order !== null && idOf(order) === id ? order : null;
}

/** The orders of a book that the desk changed or added, newest first, and those the world has. */
function ordersOf(view: GameView, book: Book): Order[] {
  const changed = [...view.desk.orders.values()].filter((order) => order.book === book).reverse();
  if (view.world.gameId !== '41207') return changed;
  const listed = book === 'currency' ? CURRENCY_ORDERS : ITEM_ORDERS;
  return [...changed, ...listed.filter(({ orderId }) => !view.desk.orders.has(orderKey(book, orderId)))];
}

/** Stores an order as it is now. */
export function storeOrder(view: GameView, book: Book, order: Order): void {
  view.desk.orders.set(orderKey(book, order.orderId), { ...order, book });
}

function orderKey(book: Book, orderId: string): string {
  return `${book}|${orderId}`;
}

/** The order that charged a billing period's renewal: its id is the period's `mint_order_id`. */
function mintOrder(view: GameView, period: Period): Order {
  const { player } = period.subscription;
  const paidMs = period.paidMs ?? period.startMs;
  return {
    orderId: `MINT_${period.id}`,
    transactionId: `TXN_${period.id}`,
    reference: `sub_${period.subscription.id}_${period.seq}`,
    player,
    fields: {
      order_status: view.history(period).refundedToDate === period.amount ? 'refunded' : 'completed',
      usd_amount: formatUsd(period.amount),
      currency_amount: period.coins,
      currency_name: 'Lumens',
      created_at: formatInstant(paidMs),
      completed_at: formatInstant(paidMs),
    },
  };
}

const CLEARED = ['completed', 'refunded', 'disputed_lost'];

/** Bree's purchases whose payment cleared in a part of time; those that only test IDs of unusual form aren't among them. */
export function clearedBetween(view: GameView, fromMs: number, untilMs: number): Order[] {
  if (view.world.gameId !== '41207') return [];
  const isWithin = ({ orderId, player, fields: { order_status, created_at } }: Order): boolean => {
    const createdMs = Date.parse(String(created_at));
    return (
      orderId.startsWith('ORD_') && player === BREE && CLEARED.includes(String(order_status)) && createdMs > fromMs && createdMs <= untilMs
    );
  };
  return CURRENCY_ORDERS.filter(isWithin);
}

/** The item orders of a player, newest first. */
export function itemOrdersOf(view: GameView, player: Player): Order[] {
  return ordersOf(view, 'items').filter((order) => order.player.playerId === player.playerId);
}
