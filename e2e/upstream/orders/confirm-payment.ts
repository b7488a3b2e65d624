import { walletOf } from '../players/player-data.ts';
import { formatCoins } from '../refunds/plan-refund.ts';
import { type Call, countExecution, type Route } from '../route.ts';
import type { Order } from '../state/desk.ts';
import { type Json, Refusal, Reply, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { findOrder } from './order-data.ts';
import { completeOrder, endOrder } from './purchases.ts';

/** Credits a purchase whose bank check is done; a repeat credits nothing. */
export const confirmPaymentRoute: Route = {
  name: 'confirm-payment',
  method: 'POST',
  pattern: /^\/api\/currency-purchases\/confirm-payment$/,
  credential: 'secret',
  meter: 'none',
  subject: ({ order_id: orderId }) => (typeof orderId === 'string' ? orderId : null),
  answer: answerConfirm,
};

const OPEN = ['pending_payment', 'requires_action'];

function answerConfirm(call: Call): Json | Reply {
  const { view } = call;
  const body = readObject(call.bytes);
  const [intent, orderId] = [body['payment_intent_id'], body['order_id']];
  if (typeof intent !== 'string' || typeof orderId !== 'string')
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'payment_intent_id and order_id are required.');
  const order = findOrder(view, 'currency', 'order_id', orderId);
  if (order === null || order.fields['payment_intent_id'] !== intent)
    throw new Refusal(404, 'ORDER_NOT_FOUND', 'No such order in this game.');
  if (order.fields['order_status'] === 'completed') {
    call.outcome = 'already_processed';
    return confirmed(call, order, true);
  }
  if (!OPEN.includes(String(order.fields['order_status'])))
    throw wordsOnly(409, 'The order is over.', { status: 'failed', order_status: order.fields['order_status'], order_id: orderId });
  const challenge = view.desk.challenges.get(intent);
  if (challenge === undefined) return unfinished(call, order);
  if (challenge === 'failed') {
    const { fields } = endOrder(call, order, 'card_declined', 'The bank declined the payment.');
    throw wordsOnly(402, 'The bank declined the payment.', { status: 'failed', order_status: fields['order_status'], order_id: orderId });
  }
  countExecution(call);
  call.outcome = 'executed';
  return confirmed(call, completeOrder(call, order), false);
}

function confirmed({ support }: Call, order: Order, isBefore: boolean): Json {
  return {
    status: 'success',
    transaction_id: order.transactionId,
    order_id: order.orderId,
    new_balance: formatCoins(walletOf(support, order.player.playerId).available),
    already_processed: isBefore,
  };
}

// The documents name no refusal of a check that isn't done.
function unfinished(call: Call, { orderId, fields }: Order): Reply {
  const has = (variant: string): boolean => call.state.shapes.has('confirm-payment', variant);
  const facts = { status: 'requires_action', order_id: orderId };
  call.outcome = 'unfinished';
  if (has('402')) throw new Refusal(402, 'card_declined', 'The card was declined.', { order_id: orderId });
  if (has('404')) throw new Refusal(404, 'PAYMENT_INTENT_NOT_FOUND', 'No confirmed payment.', { order_id: orderId });
  if (has('409')) throw wordsOnly(409, 'The payment is in flight.', { ...facts, status: 'pending', order_status: fields['order_status'] });
  if (has('failed')) return new Reply(200, { ...facts, status: 'failed', order_status: fields['order_status'] });
  throw wordsOnly(400, 'The bank’s check isn’t finished.', facts);
}
