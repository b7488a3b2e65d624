import { findPlayer } from '../players/player-data.ts';
import type { Call, Route } from '../route.ts';
import type { Book, Order } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readEmail } from '../wire/read-request.ts';
import { findOrder, itemOrdersOf } from './order-data.ts';

export const orderDetailsRoute = orderRoute('order-details', 'currency', /^\/api\/currency-purchases\/order-details$/);
export const itemOrderDetailsRoute = orderRoute('item-order-details', 'items', /^\/api\/item-purchases\/order-details$/);

export const itemHistoryRoute: Route = {
  name: 'item-history',
  method: 'GET',
  pattern: /^\/api\/item-purchases\/player-purchase-history$/,
  credential: 'secret',
  meter: 'none',
  answer: answerHistory,
};

function orderRoute(name: 'order-details' | 'item-order-details', book: Book, pattern: RegExp): Route {
  return { name, method: 'GET', pattern, credential: 'secret', meter: 'none', answer: (call) => answerOrder(call, name, book) };
}

// Neither query nor body of the order routes is in the contract: both follow the chosen shape.
function answerOrder(call: Call, name: 'order-details' | 'item-order-details', book: Book): Json {
  const { view, search, state } = call;
  const has = (variant: string): boolean => state.shapes.has(name, variant);
  const by = has('by_id_kind')
    ? kindOf(call, book)
    : has('by_transaction_id')
      ? 'transaction_id'
      : has('by_purchase_reference')
        ? 'purchase_reference'
        : 'order_id';
  const id = search.get(by) ?? '';
  if (id === '') throw new Refusal(400, 'INVALID_FIELD_VALUE', `${by} is required.`);
  const found = has('other')
    ? findOrder(view, book, 'order_id', book === 'currency' ? 'ORD_BREE_06' : 'ITO_ASA_02')
    : findOrder(view, book, by, id);
  if (found === null) throw new Refusal(404, 'ORDER_NOT_FOUND', 'No such order in this game.');
  const order = orderObject(found, has('numbers'), has('number_money'));
  if (has('flat')) return order;
  if (has('data')) return { status: 'success', data: { order } };
  if (has('list')) return { status: 'success', orders: [order] };
  return { status: 'success', order };
}

const ID_KINDS = ['order_id', 'transaction_id', 'purchase_reference'] as const;

/** The field that names the requested record. An ID of another kind sent as an order's is refused, and the refusal names its own field. */
function kindOf({ view, search }: Call, book: Book): (typeof ID_KINDS)[number] {
  const requested = ID_KINDS.find((kind) => search.has(kind)) ?? 'order_id';
  const id = search.get(requested) ?? '';
  const own = ID_KINDS.find((kind) => findOrder(view, book, kind, id) !== null);
  if (requested === 'order_id' && own !== undefined && own !== requested)
    throw new Refusal(400, 'INVALID_FIELD_VALUE', `Ask for it by ${own}.`);
  return requested;
}

function orderObject({ orderId, transactionId, reference, player, fields }: Order, hasNumbers: boolean, hasNumberMoney: boolean): Json {
  const digits = /^MINT_(\d{1,15})$/.exec(orderId)?.[1];
  return {
    order_id: orderId,
    transaction_id: hasNumbers && digits !== undefined ? Number(digits) : transactionId,
    purchase_reference: reference,
    player_id: player.playerId,
    player_email: player.email,
    player_name: player.name,
    identity_id: player.identityId,
    ...fields,
    ...(hasNumberMoney ? { usd_amount: Number(fields['usd_amount'] ?? fields['total_price']) } : {}),
  };
}

function answerHistory({ view, search, state }: Call): Json {
  const email = readEmail(new Map(search)).toLowerCase();
  const has = (variant: string): boolean => state.shapes.has('item-history', variant);
  const known = findPlayer(view, email);
  if (known === null && !has('missing_empty')) throw new Refusal(404, 'PLAYER_NOT_FOUND', 'No such player in this game.');
  const rows = known === null || has('empty') ? [] : itemOrdersOf(view, known.player).map((order) => orderObject(order, false, false));
  if (has('none')) return { status: 'success', message: 'Nothing to report.' };
  // An array at the top is an object to the type that carries it.
  if (has('bare')) return rows as unknown as Json;
  if (has('purchases')) return { status: 'success', purchases: rows };
  if (has('pages'))
    return {
      status: 'success',
      data: { pagination: { total_count: rows.length, limit: 50, offset: 0, has_more: has('more') }, items: rows },
    };
  if (has('more_flat')) return { status: 'success', items: rows, has_more: true };
  if (has('cursor')) return { status: 'success', items: rows, next_cursor: 'cursor-2' };
  if (has('total')) return { status: 'success', pagination: { total_count: 120, limit: 50 }, items: rows };
  return { status: 'success', items: rows };
}
