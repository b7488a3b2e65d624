import { createHash } from 'node:crypto';
import { formatInstant } from '../instant.ts';
import type { Player } from '../model.ts';
import { formatUsd, type Usd } from '../money.ts';
import { changeCoins } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import type { Title } from '../route.ts';
import type { Order } from '../state/desk.ts';
import type { Json } from '../wire/answer.ts';
import { currencyOf } from '../world/tenants.ts';
import { storeOrder } from './order-data.ts';

/** A new order of coins, at a hundred a dollar; nothing is charged yet. */
export function newOrder(
  { environment, view }: Title,
  { player, usd, key, fields }: { player: Player; usd: Usd; key: string; fields: Json },
): Order {
  const tail = digest(`${environment}|${key}`);
  return {
    orderId: `ORD_${tail}`,
    transactionId: null,
    reference: key,
    player,
    fields: {
      order_status: 'pending_payment',
      usd_amount: formatUsd(usd),
      currency_amount: formatCoins(coinsOf(usd)),
      currency_name: currencyOf(view.world.gameId).name,
      rail: 'platform',
      payment_intent_id: `pi_${tail.toLowerCase()}`,
      created_at: formatInstant(view.nowMs),
      updated_at: formatInstant(view.nowMs),
      ...fields,
    },
  };
}

/** A dollar buys a hundred coins: hundredths of a coin are ten-thousandths of a dollar. */
function coinsOf(usd: Usd): bigint {
  return usd;
}

/** Completes an order: the payment has cleared and the coins are credited, in one step with its webhook. */
export function completeOrder(title: Title, order: Order): Order {
  const { view, support } = title;
  const tail = order.orderId.replace(/^ORD_/, '');
  const completed: Order = {
    ...order,
    transactionId: `TXN_${tail}`,
    fields: {
      ...withoutSecret(order.fields),
      order_status: 'completed',
      charge_id: `ch_${tail.toLowerCase()}`,
      completed_at: formatInstant(view.nowMs),
      updated_at: formatInstant(view.nowMs),
    },
  };
  storeOrder(view, 'currency', completed);
  changeCoins(support, order.player.playerId, hundredthsOf(order));
  addOrderEvent(title, 'purchase.completed', {
    transaction_id: completed.transactionId,
    order_id: order.orderId,
    player_email: order.player.email,
    identity_id: order.player.identityId,
    usd_amount: order.fields['usd_amount'],
    currency_amount: order.fields['currency_amount'],
    currency_name: order.fields['currency_name'],
    metadata: order.fields['metadata'] ?? null,
  });
  return completed;
}

/** Ends an order that nobody paid, in one step with its webhook. */
export function endOrder(title: Title, order: Order, failure: 'card_declined' | 'payment_canceled', words: string): Order {
  const status = failure === 'card_declined' ? 'failed' : 'cancelled';
  const ended: Order = {
    ...order,
    fields: {
      ...withoutSecret(order.fields),
      order_status: status,
      failure_code: failure,
      updated_at: formatInstant(title.view.nowMs),
    },
  };
  storeOrder(title.view, 'currency', ended);
  addOrderEvent(title, 'purchase.failed', {
    payment_intent_id: order.fields['payment_intent_id'],
    order_id: order.orderId,
    player_email: order.player.email,
    usd_amount: order.fields['usd_amount'],
    failure_code: failure,
    failure_message: words,
  });
  return ended;
}

function withoutSecret({ client_secret: _, transaction_id: __, ...fields }: Json): Json {
  return fields;
}

function hundredthsOf({ fields }: Order): bigint {
  return BigInt(String(fields['currency_amount']).replace('.', ''));
}

/** Adds a webhook about an order. */
export function addOrderEvent({ state, environment, view }: Title, type: string, data: Json): void {
  state.outbox(environment).add(type, data, view.nowMs);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12).toUpperCase();
}
