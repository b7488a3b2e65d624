import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { type FoundAction, listActionsOf } from '#lib/actions/reads/open-actions.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { listOrdersOfText } from '#lib/orders/reads.ts';
import type { OrderBook } from '#lib/orders/rules/order.ts';
import { type FoundFile, type FoundPayment, type FoundRow, listFilesOf, listPaymentsOf } from '#lib/payments/reads/find-payments.ts';
import { findStoredPlayer, listPlayersOfEmail, type PlayerOfEmail } from '#lib/players/reads.ts';
import { isProcessed } from '#lib/refunds/reads/refund-preconditions.ts';
import { type RefundState, stateOf } from '#lib/refunds/rules/state.ts';
import { listTransfersOf } from '#lib/transfers/reads.ts';
import { deliveriesOfText, isDeliveryKey, listKindsNamed, listSubjectsBeside } from '#lib/webhooks/reads/deliveries-about.ts';
import { DELIVERY_STATES, type DeliveryState } from '#lib/webhooks/rules/delivery.ts';
import type { SearchQuery } from './rules/parse-search.ts';

// Most matches of one kind: an id matches one thing, an email a few. Most rows read for them: a line is stored once per pull of its window.
const HITS_MAX = 10;
const LINES_MAX = 100;

/** A local match, with what distinguishes it from others. */
export type Hit =
  | ({ kind: 'player' } & PlayerOfEmail)
  | ({ kind: 'subscription' } & LocalSubscription)
  | ({ kind: 'period' } & LocalPeriod)
  /** `book` null: it wasn't read, a webhook names it. */
  | { kind: 'order'; orderId: string; status: string | null; book: OrderBook | null }
  /** Not read: a webhook names it. */
  | { kind: 'transfer'; transactionId: string; state: string | null; isRead: boolean }
  | { kind: 'delivery'; deliveryId: number; eventType: string | null; receivedAt: string; state: DeliveryState }
  | { kind: 'refund'; refundId: number; periodId: number; amount_usd: string; state: RefundState; isProcessed: boolean }
  | FoundPayment
  | FoundFile
  | FoundRow
  | FoundAction;

/** Finds everything stored that a text identifies. Emails are not masked. Each query uses one index of one table: its cost doesn't grow with the database. */
export async function findLocalMatches(
  db: Db,
  gameId: number,
  { email, number, subscriptionId, text, references, messageId }: SearchQuery,
): Promise<Hit[]> {
  if (email !== null) {
    const [players, byKey, known] = await Promise.all([
      listPlayersOfEmail(db, gameId, email, HITS_MAX),
      // A game may build its keys from emails.
      listRefunds(db, gameId, 'client_request_id', text),
      listKnown(db, gameId, text),
    ]);
    return [...players.map((player): Hit => ({ kind: 'player', ...player })), ...byKey, ...hitsOf(known)];
  }
  if (subscriptionId !== null) {
    const subscription = await findLocalSubscription(db, gameId, subscriptionId);
    return subscription === null ? [] : [{ kind: 'subscription', ...subscription }];
  }
  const [byKey, byTransaction, player, byId, lines, known, records, webhooks, payments, files, actions] = await Promise.all([
    listRefunds(db, gameId, 'client_request_id', text),
    listRefunds(db, gameId, 'transaction_id', text),
    number === null ? null : findStoredPlayer(db, gameId, number),
    number === null ? null : findLocalPeriod(db, gameId, number),
    listPeriodsOfText(db, gameId, text, LINES_MAX),
    listKnown(db, gameId, text),
    listRecords(db, gameId, text),
    listOfWebhooks(db, gameId, text),
    listPaymentsOf(db, gameId, { references, providerId: text }),
    listFilesOf(db, gameId, { messageId: messageId ?? text, providerReference: text }),
    listActionsOf(db, gameId, text),
  ]);
  // The first match of a period counts: its own id comes before other ids, and a line says more than an id.
  const periods = [...(byId === null ? [] : [byId]), ...[...lines, ...known.periods].toSorted((a, b) => a.periodId - b.periodId)];
  return [
    ...payments,
    ...files,
    ...actions,
    ...byKey,
    ...byTransaction,
    ...(player === null ? [] : [playerHit(player)]),
    ...firstOfEach(hitsOf({ periods, subscriptions: [] })).slice(0, HITS_MAX),
    ...hitsOf({ periods: [], subscriptions: known.subscriptions }),
    ...firstOfEach([...records, ...webhooks.records]).slice(0, HITS_MAX),
    ...webhooks.deliveries,
  ];
}

/** What a match is about: two of one key are the same thing. */
export function keyOf(hit: Hit): string {
  if (hit.kind === 'player') return `player ${hit.playerId}`;
  if (hit.kind === 'subscription') return `subscription ${hit.subscriptionId}`;
  if (hit.kind === 'order') return `order ${hit.orderId}`;
  if (hit.kind === 'transfer') return `transfer ${hit.transactionId}`;
  if (hit.kind === 'payment') return `payment ${hit.reference}`;
  if (hit.kind === 'payment_file') return `payment file ${hit.batchNo}`;
  if (hit.kind === 'report_row') return `report ${hit.reportNo} row ${hit.rowNo}`;
  if (hit.kind === 'desk_action') return `desk action ${hit.actionId}`;
  if (hit.kind === 'delivery') return `delivery ${hit.deliveryId}`;
  return hit.kind === 'period' ? `period ${hit.periodId}` : `refund ${hit.refundId}`;
}

/** The first match of each thing, in their order. */
export function firstOfEach(hits: Hit[]): Hit[] {
  return [...Map.groupBy(hits, keyOf).values()].flatMap(([first]) => first ?? []);
}

function hitsOf({ periods, subscriptions }: Awaited<ReturnType<typeof listKnown>>): Hit[] {
  return [
    ...periods.map((period): Hit => ({ kind: 'period', ...period })),
    ...subscriptions.map((subscription): Hit => ({ kind: 'subscription', ...subscription })),
  ];
}

function playerHit({ playerId, name, email, isRecipient }: PlayerOfEmail): Hit {
  return { kind: 'player', playerId, name, email, isRecipient };
}

/** What earlier reads of Invo connected with this text. */
async function listKnown(db: Db, gameId: number, text: string): Promise<{ periods: LocalPeriod[]; subscriptions: LocalSubscription[] }> {
  const rows = await db
    .selectFrom('known_id')
    .where('game_id', '=', gameId)
    .where('kind', 'in', ['transaction', 'order', 'client_request'])
    .where('id_text', '=', text)
    .limit(LINES_MAX)
    .select(['kind', 'period_id', 'subscription_id'])
    .execute();
  const subscriptions = rows
    .filter(({ kind }) => kind === 'client_request')
    .map(async ({ subscription_id: subscriptionId }) => {
      const local = await findLocalSubscription(db, gameId, subscriptionId);
      return local ?? { subscriptionId, itemName: null, status: null, playerId: null };
    });
  const periods = rows.flatMap(({ kind, period_id, subscription_id }) =>
    period_id > 0 && (kind === 'transaction' || kind === 'order') ? [periodOfId(period_id, kind, subscription_id)] : [],
  );
  return { periods, subscriptions: await Promise.all(subscriptions) };
}

/** The orders and transfers of this id that were read from Invo. */
async function listRecords(db: Db, gameId: number, text: string): Promise<Hit[]> {
  const [orders, transfers] = await Promise.all([listOrdersOfText(db, gameId, text), listTransfersOf(db, gameId, [text])]);
  return [
    ...orders.map(({ orderId, status, book }): Hit => ({ kind: 'order', orderId, status, book })),
    ...transfers.map(({ transactionId, verification_state: state }): Hit => ({ kind: 'transfer', transactionId, state, isRead: true })),
  ];
}

// A charge and a dispute have no page of their own; a payment and a key lead to the order that a webhook named with them.
const OF_DELIVERIES = ['charge', 'dispute'] as const;
const OF_ORDERS = ['payment_intent', 'transaction'] as const;

/** What webhooks connect with this text: orders and transfers that they name, and the deliveries that came under it or name it. */
async function listOfWebhooks(db: Db, gameId: number, text: string): Promise<{ records: Hit[]; deliveries: Hit[] }> {
  const [kinds, isKey] = await Promise.all([
    listKindsNamed(db, gameId, ['order', 'transfer', ...OF_DELIVERIES, ...OF_ORDERS], text),
    isDeliveryKey(db, gameId, text),
  ]);
  const ordersOf = OF_ORDERS.filter((kind) => kinds.has(kind)).map((kind) => ({ kind, idText: text }));
  const [orders, deliveries] = await Promise.all([
    listSubjectsBeside(db, gameId, 'order', ordersOf, HITS_MAX),
    isKey || OF_DELIVERIES.some((kind) => kinds.has(kind)) ? listDeliveries(db, gameId, text) : [],
  ]);
  const records: Hit[] = [
    ...(kinds.has('order') ? [{ kind: 'order', orderId: text, status: null, book: null } as const] : []),
    ...(kinds.has('transfer') ? [{ kind: 'transfer', transactionId: text, state: null, isRead: false } as const] : []),
    ...orders.map(({ idText: orderId }): Hit => ({ kind: 'order', orderId, status: null, book: null })),
  ];
  return { records, deliveries };
}

async function listDeliveries(db: Db, gameId: number, text: string): Promise<Hit[]> {
  const rows = await db
    .selectFrom('delivery')
    .where('game_id', '=', gameId)
    .where(sql<boolean>`delivery_id in ${deliveriesOfText(gameId, text, OF_DELIVERIES)}`)
    .orderBy('delivery_id', 'desc')
    .limit(HITS_MAX)
    .select(['delivery_id as deliveryId', 'event_type as eventType', 'received_at as receivedAt', 'state'])
    .execute();
  return rows.map((row) => ({ kind: 'delivery', ...row, state: parseEnum(DELIVERY_STATES, row.state) }));
}

/** A key belongs to one refund; Invo may report one transaction for several. */
async function listRefunds(db: Db, gameId: number, id: 'client_request_id' | 'transaction_id', text: string): Promise<Hit[]> {
  const rows = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .where(id, '=', text)
    .select(['refund_id as refundId', 'period_id as periodId', 'amount_usd', 'state', isProcessed(gameId).as('isProcessed')])
    .limit(HITS_MAX)
    .execute();
  const newestFirst = rows.toSorted((a, b) => b.refundId - a.refundId);
  return newestFirst.map((row) => ({ kind: 'refund', ...row, state: stateOf(row.state) }));
}

/** A stored period, with what distinguishes it from others. */
interface LocalPeriod {
  periodId: number;
  subscriptionId: string | null;
  /** Null where only the id is known. */
  itemName: string | null;
  amount_usd: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  /** Which of its ids matched. */
  by: 'period' | 'transaction' | 'order';
}

/** Finds a period in its newest line, else in a reversal or an earlier read; null when nothing is stored about it. */
async function findLocalPeriod(db: Db, gameId: number, periodId: number): Promise<LocalPeriod | null> {
  const line = await linesOf(db, gameId).where('period_id', '=', periodId).orderBy('slice_id', 'desc').limit(1).executeTakeFirst();
  if (line) return { ...line, by: 'period' };
  const reversal = await db
    .selectFrom('reversal_line')
    .where('game_id', '=', gameId)
    .where('period_id', '=', periodId)
    .limit(1)
    .select(['subscription_id as subscriptionId', 'amount_usd'])
    .executeTakeFirst();
  if (reversal) return { ...periodOfId(periodId, 'period'), ...reversal };
  const read = await db
    .selectFrom('report_read')
    .where('game_id', '=', gameId)
    .where('kind', '=', 'period')
    .where('subject', '=', String(periodId))
    .select('read_at')
    .limit(1)
    .executeTakeFirst();
  return read ? periodOfId(periodId, 'period') : null;
}

/** Lists the lines of a transaction or an order, newest pull first, up to a limit. */
async function listPeriodsOfText(db: Db, gameId: number, text: string, limit: number): Promise<LocalPeriod[]> {
  const lineOf = (column: 'transaction_id' | 'mint_order_id') =>
    linesOf(db, gameId).where(column, '=', text).orderBy('slice_id', 'desc').limit(limit).execute();
  const [transactions, orders] = await Promise.all([lineOf('transaction_id'), lineOf('mint_order_id')]);
  return [
    ...transactions.map((line) => ({ ...line, by: 'transaction' as const })),
    ...orders.map((line) => ({ ...line, by: 'order' as const })),
  ];
}

/** A period of which only the id is known. */
function periodOfId(periodId: number, by: LocalPeriod['by'], subscriptionId: string | null = null): LocalPeriod {
  return { periodId, subscriptionId, itemName: null, amount_usd: null, periodStart: null, periodEnd: null, by };
}

function linesOf(db: Db, gameId: number) {
  return db
    .selectFrom('renewal_line')
    .where('game_id', '=', gameId)
    .select([
      'period_id as periodId',
      'subscription_id as subscriptionId',
      'item_name as itemName',
      'amount_usd',
      'period_start as periodStart',
      'period_end as periodEnd',
    ]);
}

/** A stored subscription, with what distinguishes it from others. */
interface LocalSubscription {
  subscriptionId: string;
  itemName: string | null;
  /** Invo's own value, when last read. */
  status: string | null;
  playerId: number | null;
}

/** Finds a subscription as last read from Invo, else in its newest line; null when nothing is stored about it. */
async function findLocalSubscription(db: Db, gameId: number, subscriptionId: string): Promise<LocalSubscription | null> {
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
  const isStored = line !== undefined || (await hasReversal(db, gameId, subscriptionId));
  return isStored ? { subscriptionId, itemName: line?.item_name ?? null, status: null, playerId: null } : null;
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
