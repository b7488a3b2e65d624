import { type Compared, compareField, type Figure, isSameAmount } from '#lib/core/comparison.ts';
import type { RefundEstimate } from './estimate-refund.ts';

/** A receipt as it is kept, in Invo's names; null is not recorded. */
export interface KeptReceipt {
  refunded_amount_usd: string | null;
  total_refunded_amount_usd: string | null;
  remaining_refundable_usd: string | null;
  is_full_refund: boolean | null;
  funding_shape: string | null;
  balance_delta_coins: string | null;
  card_refunded_usd: string | null;
  processor_refund_reference: string | null;
  processor_refund_adopted: boolean | null;
  invo_fee_retained: boolean | null;
  partner_revenue_reversed_usd: string | null;
  partner_revenue_reversal_mode: string | null;
  card_fee_charged_to_partner_usd: string | null;
  refunded_at: string | null;
  new_balance: string | null;
  revenue_share_attribution: {
    recipient_player_id: number;
    original_attributed_amount_usd: string | null;
    refunded_attributed_amount_usd: string | null;
    net_attributed_amount_usd: string | null;
  } | null;
}

/** One figure of a receipt beside its estimate, with what it is counted in. */
export type ReceiptFigure = Compared & { unit: Unit };

type Unit = 'usd' | 'coins' | 'words';

/** Puts the receipt beside the estimate, field by field, in the order of a money walk. */
export function compareReceipt(estimate: RefundEstimate, receipt: KeptReceipt): ReceiptFigure[] {
  const share = receipt.revenue_share_attribution;
  const after = estimate.wallets?.length === 1 ? (estimate.wallets[0]?.after ?? null) : null;
  return [
    row('refunded_amount_usd', 'usd', estimate.refunded_amount_usd, receipt.refunded_amount_usd),
    row('card_refunded_usd', 'usd', estimate.card_refunded_usd, receipt.card_refunded_usd),
    row('balance_delta_coins', 'coins', estimate.balance_delta_coins, receipt.balance_delta_coins),
    row('new_balance', 'coins', after, receipt.new_balance),
    row('is_full_refund', 'words', estimate.is_full_refund, receipt.is_full_refund),
    row('total_refunded_amount_usd', 'usd', estimate.total_refunded_amount_usd, receipt.total_refunded_amount_usd),
    row('remaining_refundable_usd', 'usd', estimate.remaining_refundable_usd, receipt.remaining_refundable_usd),
    row('partner_revenue_reversed_usd', 'usd', estimate.partner_revenue_reversed_usd, receipt.partner_revenue_reversed_usd),
    row('partner_revenue_reversal_mode', 'words', estimate.partner_revenue_reversal_mode, receipt.partner_revenue_reversal_mode),
    row('card_fee_charged_to_partner_usd', 'usd', estimate.card_fee_charged_to_partner_usd, receipt.card_fee_charged_to_partner_usd),
    row('invo_fee_retained', 'words', true, receipt.invo_fee_retained),
    row('recipient_player_id', 'words', idOf(estimate.recipient), idOf(share)),
    row('original_attributed_amount_usd', 'usd', estimate.recipient?.original_usd ?? null, share?.original_attributed_amount_usd ?? null),
    row('refunded_attributed_amount_usd', 'usd', estimate.recipient?.refunded_usd ?? null, share?.refunded_attributed_amount_usd ?? null),
    row('net_attributed_amount_usd', 'usd', estimate.recipient?.net_usd ?? null, share?.net_attributed_amount_usd ?? null),
  ];
}

function idOf(share: { recipient_player_id: number } | null): string | null {
  return share === null ? null : String(share.recipient_player_id);
}

function row(field: string, unit: Unit, expected: Figure, told: Figure): ReceiptFigure {
  return { ...compareField(field, expected, told, { isSame: isSameAmount }), unit };
}
