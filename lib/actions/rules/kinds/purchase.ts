import * as z from 'zod';
import { parseMoney, signOfMoney } from '#lib/core/money.ts';
import { classifyByCode, classifyForAll, idOf, textOf } from '../answers.ts';
import type { AnswerClass, Protocol } from '../protocol.ts';
import { PURCHASE_SETTLES_FOR_MS, readNow } from '../settling-times.ts';

/** What is bought; the card's token is entered at each press and stored nowhere. */
const request = z.object({
  usd_amount: z.string().refine((text) => /^\d{1,3}\.\d\d$/.test(text) && parseMoney(text) !== null && signOfMoney(text) > 0),
  save_card: z.stringbool().or(z.boolean()).default(false),
});
type Purchase = z.infer<typeof request>;

type Bought = {
  status: string | null;
  order_status: string | null;
  order_id: string | null;
  transaction_id: string | null;
  payment_intent_id: string | null;
  new_balance: string | null;
  duplicate: boolean | null;
  card_saved: boolean | null;
};

/** Codes that say that nothing was charged and nothing will be (document 2, Purchase and card errors). */
const CODES = {
  MISSING_PURCHASE_REFERENCE: 'refused',
  INVALID_PURCHASE_REFERENCE: 'refused',
  CLIENT_REQUEST_ID_RESERVED: 'refused',
  INVALID_SAVE_CARD: 'refused',
  RAIL_DISABLED: 'refused',
  RAIL_CHANNEL_MISMATCH: 'refused',
  RAIL_NOT_AVAILABLE_TO_PLATFORM: 'refused',
  PCSTORE_RAIL_NOT_ENTITLED: 'refused',
  PCSTORE_PURCHASE_LAYER_REQUIRED: 'refused',
  PROCESSOR_UNAVAILABLE: 'refused',
  spending_limit_exceeded: 'refused',
  rate_limit_exceeded: 'not_now',
} as const satisfies Record<string, AnswerClass>;

/**
 * Buys coins with the token of a test card, in games of the sandbox only. The order decides, wherever it is found: it is read until it ends,
 * and meanwhile no other purchase of the player starts, because a fresh reference could charge twice (document 2, Direct currency purchase).
 */
export const purchase: Protocol<Purchase, Bought, 'person'> = {
  kind: 'purchase',
  group: 'sandbox',
  repeats: 'person',
  key: 'prefixed_uuid',
  needsSecondPerson: false,
  family: 'purchase',
  keepsBody: false,
  isForRequester: false,
  enters: 'card_token',
  decidedBy: 2,
  reading: 'order',
  movesCoins: true,
  unit: 'usd',
  request,
  subjectOf: (_, playerId) => `purchase ${playerId}`,
  amountOf: ({ usd_amount }) => usd_amount,
  blockerOf: () => null,
  isAlike: () => false,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: ({ usd_amount, save_card }, { reference: purchase_reference, email: player_email, entered: payment_method_id }) =>
    JSON.stringify({ player_email, usd_amount, payment_method_id, purchase_reference, ...(save_card ? { save_card } : {}) }),
  pick: ({ status, order_status, order_id, transaction_id, payment_intent_id, new_balance, duplicate, card_saved }) => ({
    answer: {
      status: textOf(status),
      order_status: textOf(order_status),
      order_id: idOf(order_id),
      transaction_id: idOf(transaction_id),
      payment_intent_id: idOf(payment_intent_id),
      new_balance: parseMoney(new_balance),
      duplicate: typeof duplicate === 'boolean' ? duplicate : null,
      card_saved: typeof card_saved === 'boolean' ? card_saved : null,
    },
    passes: null,
  }),
  classify: (observed) => {
    const { status, codes, answer } = observed;
    const forAll = classifyForAll(observed, 'purchase');
    if (forAll !== null || answer === null || status === null) return forAll ?? 'open';
    const word = answer.status?.toLowerCase() ?? null;
    if (status === 200) {
      if (word !== 'success' || answer.transaction_id === null || codes.length > 0) return 'open';
      return answer.duplicate === true ? 'replayed' : 'done';
    }
    // The reference is spent: the order ended without a charge, whatever ids are beside it.
    if (status === 409 && word === 'failed' && isOnly(codes, 'failed')) return answer.order_status === null ? 'open' : 'refused';
    // Without another code beside it, the open circuit breaker: nothing was sent.
    if (status === 503 && codes.length > 0 && isOnly(codes, 'service_unavailable')) return 'refused';
    const byCode = classifyByCode(codes, 'purchase', CODES);
    // An order is what decides, wherever one is named.
    if (answer.order_id !== null) return 'open';
    if (status === 429) return byCode ?? 'not_now';
    if (byCode !== null) return byCode === 'not_now' ? 'open' : byCode;
    return status === 400 && codes.length === 0 ? 'refused' : 'open';
  },
  next: (answer, status) => {
    if (answer === 'contradiction') return { state: 'attention', reason: 'answer_contradicts' };
    if (status.unanswered_count === 0 && answer === 'refused') return { state: 'refused' };
    if (status.unanswered_count === 0 && answer === 'not_now') return { state: 'approved' };
    return readNow(status, PURCHASE_SETTLES_FOR_MS);
  },
  judge: (reading, { lastClass }) => {
    // Invo has no order by any ID of it: then its answer that the payment succeeded is what there is (document 2, Purchase result bodies).
    if (reading.kind !== 'order') return lastClass === 'done' || lastClass === 'replayed' ? 'done' : 'open';
    if (reading.status === 'failed' || reading.status === 'cancelled') return 'not_done';
    return reading.status === 'completed' || reading.status === 'refunded' || reading.status === 'disputed_lost' ? 'done' : 'open';
  },
};

function isOnly(codes: readonly string[], only: string): boolean {
  return codes.every((code) => code.toLowerCase() === only);
}
