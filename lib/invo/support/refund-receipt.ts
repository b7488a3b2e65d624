import * as z from 'zod';
import { count, flag, ifFits, instant, maybe, money, numericId, percent, settledByInvo, textId, words } from '../shapes/fields.ts';

/** The recipient's corrected share of the refunded period; nothing moves (document 2, refund effects). */
const correctedShare = z.object({
  recipient_player_id: ifFits(numericId),
  percent: ifFits(percent),
  original_attributed_amount_usd: ifFits(money),
  refunded_attributed_amount_usd: ifFits(money),
  net_attributed_amount_usd: ifFits(money),
  settled_by_invo: settledByInvo,
});

/**
 * The receipt of a refund (document 2, Refund receipt), in Invo's words. Whose refund it is and what is refunded and left must fit; any
 * other field that does not is not recorded, and the bytes are kept. Null: not recorded, never zero. `balance_delta_coins` and
 * `new_balance` are coins and may be below zero; `refunded_amount_usd` is this refund alone, `total_refunded_amount_usd` all of the period.
 */
export const refundReceipt = z.object({
  status: z.literal('refunded'),
  idempotent_replay: flag,
  refund_key: words,
  client_request_id: words,
  subscription_id: textId,
  period_seq: count,
  transaction_id: textId,
  refunded_amount_usd: money,
  total_refunded_amount_usd: maybe(money),
  remaining_refundable_usd: maybe(money),
  is_full_refund: flag,
  funding_shape: words,
  balance_delta_coins: ifFits(money),
  card_refunded_usd: ifFits(money),
  processor_refund_reference: words,
  processor_refund_adopted: flag,
  invo_fee_retained: flag,
  partner_revenue_reversed_usd: ifFits(money),
  partner_revenue_reversal_mode: words,
  card_fee_charged_to_partner_usd: ifFits(money),
  reason: words,
  refunded_at: ifFits(instant),
  new_balance: ifFits(money),
  revenue_share_attribution: ifFits(correctedShare),
});

export type RefundReceipt = z.infer<typeof refundReceipt>;
