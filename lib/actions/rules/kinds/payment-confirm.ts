import * as z from 'zod';
import { parseMoney } from '#lib/core/money.ts';
import { classifyForAll, idOf, textOf } from '../answers.ts';
import type { Protocol } from '../protocol.ts';
import { readNow } from '../settling-times.ts';

/** The order and its payment, both from the order or its webhooks, never typed. */
const request = z.object({ order_id: z.string(), payment_intent_id: z.string() });

type Confirmed = {
  status: string | null;
  transaction_id: string | null;
  order_id: string | null;
  new_balance: string | null;
  already_processed: boolean | null;
};

/**
 * Confirms a payment whose bank check the player finished, so that the order completes and the coins are credited. Invo credits once, however often it
 * is sent (document 2, Confirm payment). The order decides: an answer is what Invo says, and refusals of this route aren't documented.
 */
export const paymentConfirm: Protocol<z.infer<typeof request>, Confirmed, 'person'> = {
  kind: 'payment_confirm',
  group: 'payments',
  repeats: 'person',
  key: null,
  needsSecondPerson: false,
  family: 'payment_confirm',
  keepsBody: true,
  isForRequester: false,
  decidedBy: 1,
  reading: 'order',
  movesCoins: true,
  unit: null,
  request,
  subjectOf: ({ order_id }) => `order ${order_id}`,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet, order }) => ({
    player_id: wallet?.player_id ?? null,
    order: order && {
      order_id: order.order_id,
      status: order.status,
      payment_intent_id: order.payment_intent_id,
      transaction_id: order.transaction_id,
      player_id: order.player_id,
    },
  }),
  write: ({ payment_intent_id, order_id }) => JSON.stringify({ payment_intent_id, order_id }),
  pick: ({ status, transaction_id, order_id, new_balance, already_processed }) => ({
    answer: {
      status: textOf(status),
      transaction_id: idOf(transaction_id),
      order_id: idOf(order_id),
      new_balance: parseMoney(new_balance),
      already_processed: typeof already_processed === 'boolean' ? already_processed : null,
    },
    passes: null,
  }),
  classify: (observed, { order_id }) => {
    const { status, answer } = observed;
    const forAll = classifyForAll(observed, 'payment_confirm');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    if (status !== 200 || answer.status?.toLowerCase() !== 'success' || observed.codes.length > 0) return 'open';
    if (answer.order_id !== null && answer.order_id !== order_id) return 'contradiction';
    return answer.already_processed === true ? 'replayed' : 'done';
  },
  next: (answer, status) => {
    if (answer === 'contradiction') return { state: 'attention', reason: 'answer_contradicts' };
    return answer === 'not_now' && status.unanswered_count === 0 ? { state: 'approved' } : readNow(status);
  },
  judge: (reading) => {
    if (reading.kind !== 'order') return 'open';
    if (reading.status === 'completed') return 'done';
    return reading.status === 'failed' || reading.status === 'cancelled' ? 'not_done' : 'open';
  },
};
