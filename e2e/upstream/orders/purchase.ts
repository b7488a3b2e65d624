import { parseUsd, type Usd, usd } from '../money.ts';
import { createPlayer, findPlayer, walletOf } from '../players/player-data.ts';
import { saveCard } from '../players/set-up.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { type Call, countExecution, openTitle, type Route } from '../route.ts';
import type { Order, Purchase } from '../state/desk.ts';
import type { State } from '../state/state.ts';
import { type Json, Refusal, wordsOnly } from '../wire/answer.ts';
import { parseObject, readObject } from '../wire/read-request.ts';
import { overCap } from './checkout.ts';
import { findOrder, storeOrder } from './order-data.ts';
import { completeOrder, endOrder, newOrder } from './purchases.ts';

/** Buys coins with a tokenised card, once per reference. The token decides what becomes of it. */
export const purchaseRoute: Route = {
  name: 'purchase',
  method: 'POST',
  pattern: /^\/api\/currency-purchases\/purchase-currency$/,
  credential: 'secret',
  meter: 'none',
  subject: (body) => referenceIn(body),
  playerMeter: ({ bytes }) => ({ key: `purchase|${emailIn(parseObject(bytes) ?? {})}`, max: 20 }),
  answer: answerPurchase,
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const USD_MAX: Usd = usd('999.99');
const SLOW_CALLS = 3;

/** What time makes of an order whose first call did not end it. */
const LATER: Readonly<Record<string, Pick<Purchase, 'becomes'> & { afterMs: number }>> = {
  pm_3ds: { becomes: 'cancelled', afterMs: DAY_MS },
  pm_unknown_landed: { becomes: 'completed', afterMs: 15 * MINUTE_MS },
  pm_unknown_lost: { becomes: 'failed', afterMs: DAY_MS },
};

function answerPurchase(call: Call): Json {
  const { view, support } = call;
  const { email, price, method, reference, isCardSaved, metadata } = readPurchase(call);
  const before = view.desk.purchases.get(reference);
  if (before !== undefined) return repeated(call, before);
  // Nothing is stored of these: a fresh reference is safe.
  if (method === 'pm_breaker') throw new Refusal(503, null, '', { status: 'service_unavailable' });
  if (method === 'pm_no_processor')
    throw new Refusal(503, 'PROCESSOR_AUTH_FAILED', 'The processor is not available.', { error_code_public: 'PROCESSOR_UNAVAILABLE' });
  if (email.startsWith('gus.hale@')) throw overCap();
  const player = findPlayer(view, email)?.player ?? createPlayer(call, email);
  const order = newOrder(call, { player, usd: price, key: reference, fields: metadata === null ? {} : { metadata } });
  const later = LATER[method];
  const purchase: Purchase = {
    orderId: order.orderId,
    calls: 1,
    method,
    becomes: later?.becomes ?? 'completed',
    settlesMs: later === undefined ? null : view.nowMs + later.afterMs,
  };
  view.desk.purchases.set(reference, purchase);
  countExecution(call);
  call.outcome = 'executed';
  if (method === 'pm_declined') {
    const { fields } = endOrder(call, order, 'card_declined', 'The card was declined.');
    throw new Refusal(402, 'card_declined', 'The card was declined.', { order_id: order.orderId, order_status: fields['order_status'] });
  }
  if (method === 'pm_processor_error') {
    endOrder(call, order, 'card_declined', 'The processor refused the payment.');
    throw new Refusal(502, 'CHARGE_FAILED', 'The processor refused the payment.', {
      error_code_public: 'PROCESSOR_ERROR',
      order_id: order.orderId,
    });
  }
  if (method === 'pm_ok') {
    const { transactionId } = completeOrder(call, order);
    if (isCardSaved) saveCard(view, player.playerId);
    const balance = formatCoins(walletOf(support, player.playerId).available);
    return { status: 'success', transaction_id: transactionId, new_balance: balance, ...(isCardSaved ? { card_saved: true } : {}) };
  }
  if (method === 'pm_3ds') {
    const secret = call.state.secrets.make('client_secret', `${String(order.fields['payment_intent_id'])}_secret_`);
    const waiting = { ...order, fields: { ...order.fields, order_status: 'requires_action', client_secret: secret } };
    storeOrder(view, 'currency', waiting);
    return challenge(waiting);
  }
  storeOrder(view, 'currency', order);
  if (method === 'pm_slow') throw inFlight(order);
  throw new Refusal(method === 'pm_unknown_landed' ? 502 : 503, 'PAYMENT_OUTCOME_UNKNOWN', 'The outcome of the payment is not known.', {
    order_id: order.orderId,
    retry_with_same_reference: true,
    poll_endpoint: '/api/currency-purchases/order-details',
  });
}

/** The answer to a reference that was used: what its order is now. */
function repeated(call: Call, purchase: Purchase): Json {
  const { support } = call;
  purchase.calls += 1;
  let order = orderOf(call, purchase);
  if (purchase.method === 'pm_slow' && purchase.calls >= SLOW_CALLS && order.fields['order_status'] === 'pending_payment')
    order = completeOrder(call, order);
  call.outcome = 'replayed';
  const { order_status: status } = order.fields;
  if (status === 'completed')
    return {
      status: 'success',
      duplicate: true,
      transaction_id: order.transactionId,
      order_id: order.orderId,
      new_balance: formatCoins(walletOf(support, order.player.playerId).available),
    };
  if (status === 'requires_action') return challenge(order);
  if (status === 'pending_payment') throw inFlight(order);
  throw new Refusal(409, null, '', { status: 'failed', order_status: status, order_id: order.orderId });
}

function challenge({ orderId, fields }: Order): Json {
  const { client_secret, payment_intent_id } = fields;
  return { status: 'requires_action', client_secret, payment_intent_id, order_id: orderId, new_balance: null };
}

function inFlight({ orderId }: Order): Refusal {
  return new Refusal(409, null, '', { status: 'pending', duplicate: true, order_id: orderId });
}

function orderOf({ view }: Pick<Call, 'view'>, { orderId }: Purchase): Order {
  const order = findOrder(view, 'currency', 'order_id', orderId);
  if (order === null) throw new Error(`no order ${orderId}`);
  return order;
}

/** Ends the purchases whose time has come. */
export function lapsePurchases(state: State): void {
  for (const environment of ['production', 'sandbox', 'emberfall'] as const) {
    const title = openTitle(state, environment);
    for (const purchase of title.view.desk.purchases.values()) {
      if (purchase.settlesMs === null || purchase.settlesMs > title.view.nowMs) continue;
      purchase.settlesMs = null;
      const order = orderOf(title, purchase);
      if (!['pending_payment', 'requires_action'].includes(String(order.fields['order_status']))) continue;
      if (purchase.becomes === 'completed') completeOrder(title, order);
      else if (purchase.becomes === 'failed') endOrder(title, order, 'card_declined', 'The payment never reached the processor.');
      else endOrder(title, order, 'payment_canceled', 'The bank’s check was abandoned.');
    }
  }
}

interface Read {
  email: string;
  price: Usd;
  method: string;
  reference: string;
  isCardSaved: boolean;
  metadata: Json | null;
}

const METHODS = /^pm_(ok|3ds|declined|slow|unknown_landed|unknown_lost|breaker|no_processor|processor_error)$/;

function readPurchase({ bytes }: Call): Read {
  const body = readObject(bytes);
  const { usd_amount: amount, payment_method_id: method, save_card: isCardSaved = false, metadata = null } = body;
  const reference = referenceIn(body);
  const email = emailIn(body);
  if (reference === null) throw new Refusal(400, 'MISSING_PURCHASE_REFERENCE', 'purchase_reference is required.');
  if (reference.length > 255) throw new Refusal(400, 'INVALID_PURCHASE_REFERENCE', 'purchase_reference has at most 255 characters.');
  if (/^sub_/i.test(reference)) throw new Refusal(400, 'CLIENT_REQUEST_ID_RESERVED', 'purchase_reference must not begin with sub_.');
  if (typeof isCardSaved !== 'boolean') throw new Refusal(400, 'INVALID_SAVE_CARD', 'save_card must be a JSON boolean.');
  const price = typeof amount === 'string' ? parseUsd(amount) : null;
  // The documents show no code of the rest.
  if (!email.includes('@')) throw wordsOnly(400, 'player_email is required.');
  if (price === null || price === 0n || price > USD_MAX || price % 100n !== 0n) throw wordsOnly(400, 'usd_amount is not an amount.');
  if (typeof method !== 'string' || !METHODS.test(method)) throw wordsOnly(400, 'payment_method_id is no token of a card.');
  if (metadata !== null && (typeof metadata !== 'object' || Array.isArray(metadata))) throw wordsOnly(400, 'metadata must be an object.');
  return { email, price, method, reference, isCardSaved, metadata: metadata as Json | null };
}

function referenceIn({ purchase_reference: reference, client_request_id: alias }: Json): string | null {
  const given = reference ?? alias;
  return typeof given === 'string' && given !== '' ? given : null;
}

function emailIn({ player_email: email }: Json): string {
  return typeof email === 'string' ? email.trim().toLowerCase() : '';
}
