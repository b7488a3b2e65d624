import { formatUsd, parseUsd } from '../money.ts';
import { findOrder, storeOrder } from '../orders/order-data.ts';
import { addOrderEvent } from '../orders/purchases.ts';
import { changeCoins } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { openTitle, type Title } from '../route.ts';
import type { Order } from '../state/desk.ts';
import { type Json, Refusal } from '../wire/answer.ts';
import { type DeskControl, oneOf, saved } from './desk-controls.ts';

/** What the card network and the service's own staff do with a completed order (document 2, Events): each with its webhook, in one step. */
export const ORDER_CONTROLS: Record<string, DeskControl> = {
  // A chargeback that is opened, and closed later. Only a lost one takes the coins.
  'POST dispute': saved((state, environment, { order_id: id, outcome }) => {
    const title = openTitle(state, environment);
    const order = completedOrder(title, id);
    const step = oneOf(outcome, ['open', 'won', 'lost']);
    const dispute_id = `dp_${order.orderId.toLowerCase()}`;
    if (step === 'open') {
      addOrderEvent(title, 'purchase.disputed', {
        ...idsOf(order),
        dispute_id,
        reason: 'fraudulent',
        usd_amount: order.fields['usd_amount'],
      });
      return { dispute_id };
    }
    const debited = step === 'lost' ? coinsOf(order) : 0n;
    const newBalance = changeCoins(title.support, order.player.playerId, -debited);
    if (step === 'lost') storeOrder(title.view, 'currency', withStatus(order, 'disputed_lost'));
    addOrderEvent(title, 'purchase.disputed', {
      order_id: order.orderId,
      dispute_id,
      dispute_status: step,
      currency_debited: formatCoins(debited),
      new_balance: formatCoins(newBalance),
    });
    return { dispute_id, new_balance: formatCoins(newBalance) };
  }),
  // A refund by admin tooling, whole or in part; a part debits its share of the coins, and the order stays completed.
  'POST admin-refund': saved((state, environment, { order_id: id, usd }) => {
    const title = openTitle(state, environment);
    const order = completedOrder(title, id);
    const original = parseUsd(String(order.fields['usd_amount'])) ?? 0n;
    const refunded = parseUsd(String(usd));
    const before = parseUsd(String(order.fields['usd_refunded'] ?? '0.00')) ?? 0n;
    if (refunded === null || refunded <= 0n || before + refunded > original)
      throw new Refusal(400, 'INVALID_BODY', `usd is up to ${formatUsd(original - before)}.`);
    const isWhole = before + refunded === original;
    const debited = (coinsOf(order) * refunded) / original;
    const newBalance = changeCoins(title.support, order.player.playerId, -debited);
    const noted: Order = { ...order, fields: { ...order.fields, usd_refunded: formatUsd(before + refunded) } };
    const after = isWhole ? withStatus(noted, 'refunded') : noted;
    storeOrder(title.view, 'currency', after);
    addOrderEvent(title, 'purchase.refunded', {
      ...idsOf(order),
      usd_refunded: formatUsd(refunded),
      usd_original: formatUsd(original),
      fully_refunded: isWhole,
      currency_debited: formatCoins(debited),
      new_balance: formatCoins(newBalance),
      currency_name: order.fields['currency_name'],
      order_status: after.fields['order_status'],
    });
    return { order_status: after.fields['order_status'], new_balance: formatCoins(newBalance) };
  }),
  // An early warning of the card network: advice, which changes nothing.
  'POST fraud': saved((state, environment, { order_id: id, recommendation }) => {
    const title = openTitle(state, environment);
    const order = completedOrder(title, id);
    const advice = oneOf(recommendation, ['consider_refund', 'monitor']);
    addOrderEvent(title, 'purchase.fraud_warning', {
      ...idsOf(order),
      fraud_type: 'made_with_stolen_card',
      actionable: advice === 'consider_refund',
      usd_amount: order.fields['usd_amount'],
      recommendation: advice,
    });
    return { order_id: order.orderId };
  }),
};

function completedOrder({ view }: Title, id: unknown): Order {
  const order = findOrder(view, 'currency', 'order_id', String(id));
  if (order?.fields['order_status'] !== 'completed') throw new Refusal(404, 'NOT_FOUND', 'No such completed order.');
  return order;
}

function idsOf({ orderId, transactionId, fields }: Order): Json {
  return {
    order_id: orderId,
    transaction_id: transactionId,
    payment_intent_id: fields['payment_intent_id'] ?? null,
    charge_id: fields['charge_id'] ?? null,
  };
}

function withStatus(order: Order, status: string): Order {
  return { ...order, fields: { ...order.fields, order_status: status } };
}

/** Hundredths of a coin that the order credited. */
function coinsOf({ fields }: Order): bigint {
  return BigInt(String(fields['currency_amount'] ?? '0.00').replace('.', ''));
}
