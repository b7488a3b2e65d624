import type * as z from 'zod';
import { parseExactJson } from '#lib/core/exact-json.ts';
import type { OrderBook } from '#lib/orders/rules/order.ts';
import type { Exchange, Invo } from '../invo.ts';
import { InvoError, isAbsent } from '../invo-error.ts';
import { requireEmail } from '../request-path.ts';
import {
  type AnswerFields,
  type AnswerTree,
  idOf,
  instantOf,
  isFields,
  jsonOf,
  moneyOf,
  textOf,
  treeShape,
} from '../shapes/answer-tree.ts';
import { readerOf } from '../shapes/fields.ts';
import { withTreeEvidence } from '../transport/body.ts';
import { type FoundRecord, findRecord, firstList, firstOf, hasMoreRows } from './find-in-answer.ts';

/**
 * One order as Invo reports it. The documents show neither the query nor the answer, so fields are found by the names that documents and
 * webhooks use; null: no such field. `status` is Invo's word, one of seven or another. `unreadable` names amounts that are no plain decimal text.
 */
export interface OrderReading {
  orderId: string | null;
  transactionId: string | null;
  paymentIntentId: string | null;
  chargeId: string | null;
  purchaseReference: string | null;
  status: string | null;
  /** Under Invo's own name of the field, such as `usd_amount`. */
  amounts: { field: string; amount: string }[];
  unreadable: string[];
  currencyName: string | null;
  rail: string | null;
  playerId: number | null;
  /** As Invo spelled it; null in a stored answer, which has no email. */
  playerEmail: string | null;
  /** As Invo spelled it; null in a stored answer. */
  playerName: string | null;
  identityId: string | null;
  /** Item orders. */
  item: string | null;
  quantity: string | null;
  dates: { field: string; at: string }[];
  metadata: AnswerTree | undefined;
  /** The whole answer. */
  tree: AnswerTree;
}

const ID_NAMES = ['order_id', 'transaction_id', 'purchase_reference', 'client_request_id', 'payment_intent_id'] as const;
const AMOUNT_NAMES = [
  'usd_amount',
  'amount_usd',
  'currency_amount',
  'amount_coins',
  'new_balance',
  'usd_refunded',
  'unit_price',
  'total_price',
] as const;
const DATE_NAMES = ['created_at', 'updated_at', 'completed_at', 'paid_at', 'refunded_at', 'failed_at', 'expires_at'] as const;
// Words of an envelope, which say nothing of the order.
const ENVELOPE_WORDS = new Set(['success', 'ok', 'error']);

/** Makes the shape of an order that must name the requested ID; an answer about another order is no answer. */
export function orderShape(id: string): z.ZodType<OrderReading> {
  return treeShape((tree, refuse, json) => {
    const found = findRecord(tree, ID_NAMES, id);
    const whole = findRecord(jsonOf(json), ID_NAMES, id);
    if (found === null || whole === null) return refuse('order_id', 'not what was requested');
    const player = recordsOf(whole, 'player');
    const email = textOf(firstOf(player, ['player_email']));
    return {
      ...reshapeOrder(found, tree),
      playerEmail: email?.includes('•') === false ? email : null,
      playerName: textOf(firstOf(player, ['player_name'])),
    };
  });
}

/** An order's fields and what holds it; with `part`, what it has in a record of that name comes after its own. */
function recordsOf({ own, around }: FoundRecord, part?: 'player' | 'item'): AnswerFields[] {
  return [...own, ...(part === undefined ? [] : own.map((record) => record[part]).filter(isFields)), ...around];
}

function reshapeOrder(found: FoundRecord, tree: AnswerTree): Omit<OrderReading, 'playerEmail' | 'playerName'> {
  const records = recordsOf(found);
  const [player, item] = [recordsOf(found, 'player'), recordsOf(found, 'item')];
  const find = (...names: string[]): AnswerTree | undefined => firstOf(records, names);
  const given = AMOUNT_NAMES.filter((name) => find(name) !== undefined);
  const amounts = given.flatMap((field) => {
    const amount = moneyOf(find(field));
    return amount === null ? [] : [{ field, amount }];
  });
  const playerId = firstOf(player, ['player_id']);
  return {
    orderId: idOf(find('order_id')) ?? found.id,
    transactionId: idOf(find('transaction_id')),
    paymentIntentId: idOf(find('payment_intent_id')),
    chargeId: idOf(find('charge_id')),
    purchaseReference: idOf(find('purchase_reference')) ?? idOf(find('client_request_id')),
    status: statusOf(records),
    amounts,
    unreadable: given.filter((name) => !amounts.some(({ field }) => field === name)),
    currencyName: textOf(find('currency_name')),
    rail: textOf(find('rail')),
    playerId: typeof playerId === 'number' && Number.isSafeInteger(playerId) && playerId > 0 ? playerId : null,
    identityId: idOf(firstOf(player, ['identity_id'])),
    item: textOf(firstOf(item, ['item_name'])) ?? idOf(firstOf(item, ['item_id'])),
    quantity: idOf(firstOf(item, ['item_quantity'])) ?? idOf(firstOf(item, ['quantity'])),
    dates: DATE_NAMES.flatMap((field) => {
      const instant = instantOf(find(field));
      return instant === null ? [] : [{ field, at: instant }];
    }),
    metadata: find('metadata'),
    tree,
  };
}

function statusOf(records: AnswerFields[]): string | null {
  const own = textOf(firstOf(records, ['order_status']));
  return own ?? records.map(({ status }) => textOf(status)).find((word) => word !== null && !ENVELOPE_WORDS.has(word)) ?? null;
}

/** A player's purchases of items: the rows found in the answer, with Invo's own names; null: the answer holds no list. */
export interface ItemHistory {
  rows: AnswerFields[] | null;
  /** Invo says that it has more rows than these. */
  hasMore: boolean;
  tree: AnswerTree;
}

/** The shape of a player's item purchases. */
export const itemHistory: z.ZodType<ItemHistory> = treeShape((tree) => {
  const rows = firstList(tree);
  return { rows, hasMore: hasMoreRows(tree, rows?.length ?? 0), tree };
});

const PATHS: Record<OrderBook, string> = { currency: '/api/currency-purchases/order-details', items: '/api/item-purchases/order-details' };

const COMMON = { route: { kind: 'other' }, parse: parseExactJson } as const;

const QUERY_NAMES = ['order_id', 'transaction_id', 'purchase_reference'] as const;
type QueryName = (typeof QUERY_NAMES)[number];
// The field by which a game's last order was found; for each process. Other kinds of ids may go by other fields.
const workingField = new Map<string, QueryName>();

/** Reads one order, by any of its ids. Throws InvoError not_found for one that is not in this game and environment. */
export async function readOrder({ ask, key }: Invo, book: OrderBook, id: string, signal?: AbortSignal): Promise<Exchange<OrderReading>> {
  const memory = `${book} ${key}`;
  const tried = new Set<QueryName>();
  let absent: unknown = null;
  for (let name = workingField.get(memory) ?? 'order_id'; ; ) {
    tried.add(name);
    try {
      const family = book === 'currency' ? 'order' : 'item';
      const read = readerOf(orderShape(id), () => null);
      const answer = await ask({ ...COMMON, family, path: PATHS[book], query: { [name]: id }, read, signal });
      workingField.set(memory, name);
      return withTreeEvidence(answer);
    } catch (error) {
      const next = nextName(error, tried);
      // A refused field states nothing about the order; what another field stated before does.
      if (next === null) throw absent !== null && error instanceof InvoError && error.status === 400 ? absent : error;
      if (error instanceof InvoError && isAbsent(error)) absent = error;
      name = next;
    }
  }
}

/** Reads what a player bought for coins. Throws InvoError not_found where Invo says so of a player it doesn't know. */
export async function readItemPurchases({ ask }: Invo, playerEmail: string, signal?: AbortSignal): Promise<Exchange<ItemHistory>> {
  const path = '/api/item-purchases/player-purchase-history';
  const request = { path, query: { player_email: requireEmail(playerEmail) }, shown: `${path}?player_email=•` };
  return withTreeEvidence(await ask({ ...COMMON, ...request, family: 'item', read: readerOf(itemHistory, () => null), signal }));
}

/**
 * The field to ask by next: one that a 400 names and that wasn't tried; after a 404 `order_id`, because the remembered field may be that of another
 * kind of id. null: there is none.
 */
function nextName(error: unknown, tried: ReadonlySet<QueryName>): QueryName | null {
  if (!(error instanceof InvoError)) return null;
  if (isAbsent(error)) return tried.has('order_id') ? null : 'order_id';
  if (error.status !== 400) return null;
  const words = [error.prose, ...Object.values(error.facts)].filter((text) => typeof text === 'string').join(' ');
  return QUERY_NAMES.find((name) => !tried.has(name) && new RegExp(`\\b${name}\\b`).test(words)) ?? null;
}
