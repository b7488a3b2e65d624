import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type OpenAction, openActionsOf } from '#lib/actions/reads/open-actions.ts';
import { erasedIds, type StoredDetail } from '#lib/subscriptions/reads.ts';
import type { OrderBook } from './rules/order.ts';

/** An order as Invo last reported it on request. */
export interface KnownOrder {
  book: OrderBook;
  orderId: string;
  playerId: number | null;
  /** Invo's word. */
  status: string | null;
  transactionId: string | null;
  /** Under Invo's name of the field. */
  amount: { field: string; amount: string } | null;
  readAt: string;
}

const ORDERS_MAX = 200;

/** Lists the orders of a player that Sharebook read from Invo, the last read first, at most 200. Invo lists none by itself. */
export async function listOrdersOfPlayer(db: Db, gameId: number, playerId: number): Promise<KnownOrder[]> {
  const { rows } = await sql<KnownOrderRow>`
    ${KNOWN_ORDERS} where game_id = ${gameId} and player_id = ${playerId} order by read_at desc, order_id limit ${ORDERS_MAX}`.execute(db);
  return rows.map(reshapeOrder);
}

/** Lists the stored answers about some orders of a book, requested by these IDs, in no order. */
export async function listOrderAnswers(
  db: Db,
  gameId: number,
  book: OrderBook,
  orderIds: readonly string[],
): Promise<(StoredDetail & { orderId: string })[]> {
  if (orderIds.length === 0) return [];
  return await db
    .selectFrom('detail_read')
    .select(['subject as orderId', 'read_at as readAt', 'body', 'sha256', erasedIds(gameId).as('erasedIds')])
    .where('game_id', '=', gameId)
    .where('kind', '=', book === 'currency' ? 'order' : 'item_order')
    .where('subject', 'in', [...orderIds])
    .limit(ORDERS_MAX)
    .execute();
}

/** Lists the orders of which any id is this text, at most ten. */
export async function listOrdersOfText(db: Db, gameId: number, text: string): Promise<KnownOrder[]> {
  const { rows } = await sql<KnownOrderRow>`${KNOWN_ORDERS} where game_id = ${gameId}
    and (order_id = ${text} or transaction_id = ${text} or payment_intent_id = ${text} or purchase_reference = ${text}) limit 10`.execute(
    db,
  );
  return rows.map(reshapeOrder);
}

/** A billing period whose renewal an order charged. */
export interface MintedPeriod {
  periodId: number;
  subscriptionId: string;
  orderId: string;
  /** From a pulled month: USD, as reported; null: known from another answer only. */
  amount_usd: string | null;
  paidAt: string | null;
}

/** What is stored about an order beside itself: the renewal that it charged (null: none is known), and open desk actions about it. */
export interface OrderContext {
  minted: MintedPeriod | null;
  openActions: OpenAction[];
}

/** Finds what is stored about an order beside itself, in one statement. */
export async function findOrderContext(db: Db, gameId: number, orderId: string): Promise<OrderContext> {
  const { rows } = await sql<OrderContext>`
    select ${openActionsOf(gameId, { orderId })} as "openActions", (select row_to_json(found) from (
      (select period_id as "periodId", subscription_id as "subscriptionId", mint_order_id as "orderId", amount_usd::text, paid_at_reported as "paidAt"
       from renewal_line where game_id = ${gameId} and mint_order_id = ${orderId} order by slice_id desc limit 1)
      union all
      (select period_id, subscription_id, id_text, null, null
       from known_id where game_id = ${gameId} and kind = 'order' and id_text = ${orderId} and period_id > 0 limit 1)
    ) found limit 1) as minted`.execute(db);
  return rows[0] ?? { minted: null, openActions: [] };
}

/** Lists the orders that charged the periods of a player's known subscriptions, the latest period first, at most 200. */
export async function listMintedOrders(db: Db, gameId: number, playerId: number): Promise<MintedPeriod[]> {
  const { rows } = await sql<MintedPeriod>`
    select known_id.period_id as "periodId", known_id.subscription_id as "subscriptionId", known_id.id_text as "orderId", line.amount_usd::text,
      line.paid_at_reported as "paidAt"
    from known_subscription
      join known_id on known_id.game_id = ${gameId} and known_id.subscription_id = known_subscription.subscription_id
      left join lateral (
        select amount_usd, paid_at_reported from renewal_line
        where game_id = ${gameId} and mint_order_id = known_id.id_text order by slice_id desc limit 1
      ) line on true
    where known_subscription.game_id = ${gameId} and known_subscription.player_id = ${playerId}
      and known_id.kind = 'order' and known_id.period_id > 0
    order by known_id.period_id desc limit ${ORDERS_MAX}`.execute(db);
  return rows;
}

const KNOWN_ORDERS = sql`select book, order_id as "orderId", player_id as "playerId", status, transaction_id as "transactionId", amount_field as "amountField",
  amount::text as amount, read_at as "readAt" from known_order`;

type KnownOrderRow = Omit<KnownOrder, 'amount'> & { amountField: string | null; amount: string | null };

function reshapeOrder({ amountField, amount, ...order }: KnownOrderRow): KnownOrder {
  return { ...order, amount: amountField === null || amount === null ? null : { field: amountField, amount } };
}
