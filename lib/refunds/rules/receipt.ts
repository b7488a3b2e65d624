import { type Compared, compareField, type Figure, isSameAmount } from '#lib/core/comparison.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { subtractMoney, sumMoney } from '#lib/core/money.ts';
import { NOTHING_REPORTED, type PeriodFacts, type PeriodRefund, type RefundEstimate, type StoredReceipt } from './stored.ts';

/** One figure of a receipt beside its estimate, with its unit. */
export type ReceiptFigure = Compared & { unit: Unit };

type Unit = 'usd' | 'coins' | 'text';

/** Compares the receipt with the estimate, field by field, in the order the money moves. */
export function compareReceipt(estimate: RefundEstimate, receipt: StoredReceipt): ReceiptFigure[] {
  const share = receipt.revenue_share_attribution;
  const after = estimate.wallets?.length === 1 ? (estimate.wallets[0]?.after ?? null) : null;
  return [
    row('refunded_amount_usd', 'usd', estimate.refunded_amount_usd, receipt.refunded_amount_usd),
    row('card_refunded_usd', 'usd', estimate.card_refunded_usd, receipt.card_refunded_usd),
    row('balance_delta_coins', 'coins', estimate.balance_delta_coins, receipt.balance_delta_coins),
    row('new_balance', 'coins', after, receipt.new_balance),
    row('is_full_refund', 'text', estimate.is_full_refund, receipt.is_full_refund),
    row('total_refunded_amount_usd', 'usd', estimate.total_refunded_amount_usd, receipt.total_refunded_amount_usd),
    row('remaining_refundable_usd', 'usd', estimate.remaining_refundable_usd, receipt.remaining_refundable_usd),
    row('partner_revenue_reversed_usd', 'usd', estimate.partner_revenue_reversed_usd, receipt.partner_revenue_reversed_usd),
    row('partner_revenue_reversal_mode', 'text', estimate.partner_revenue_reversal_mode, receipt.partner_revenue_reversal_mode),
    row('card_fee_charged_to_partner_usd', 'usd', estimate.card_fee_charged_to_partner_usd, receipt.card_fee_charged_to_partner_usd),
    row('invo_fee_retained', 'text', true, receipt.invo_fee_retained),
    row('recipient_player_id', 'text', idOf(estimate.recipient), idOf(share)),
    row('original_attributed_amount_usd', 'usd', estimate.recipient?.original_usd ?? null, share?.original_attributed_amount_usd ?? null),
    row('refunded_attributed_amount_usd', 'usd', estimate.recipient?.refunded_usd ?? null, share?.refunded_attributed_amount_usd ?? null),
    row('net_attributed_amount_usd', 'usd', estimate.recipient?.net_usd ?? null, share?.net_attributed_amount_usd ?? null),
  ];
}

function idOf(share: { recipient_player_id: number } | null): string | null {
  return share === null ? null : String(share.recipient_player_id);
}

function row(field: string, unit: Unit, expected: Figure, reported: Figure): ReceiptFigure {
  return { ...compareField(field, expected, reported, { isSame: isSameAmount }), unit };
}

/** The receipt of a refund as far as its period report shows it. */
export function receiptOf(refund: PeriodRefund, period: PeriodFacts): StoredReceipt {
  const { attribution, amount_usd } = period;
  const after = refund.cumulative_refunded_after_usd;
  const reversed = reversedUpTo(refund, period);
  return {
    ...NOTHING_REPORTED,
    refunded_amount_usd: refund.refunded_amount_usd,
    total_refunded_amount_usd: after,
    remaining_refundable_usd: after === null || amount_usd === null ? null : subtractMoney(amount_usd, after),
    is_full_refund: refund.is_full_refund,
    partner_revenue_reversed_usd: refund.partner_revenue_reversed_usd,
    refunded_at: refund.refunded_at,
    revenue_share_attribution:
      attribution === null
        ? null
        : {
            recipient_player_id: attribution.recipient_player_id,
            original_attributed_amount_usd: attribution.attributed_amount_usd,
            refunded_attributed_amount_usd: reversed,
            net_attributed_amount_usd: reversed === null ? null : subtractMoney(attribution.attributed_amount_usd, reversed),
          },
  };
}

/** The receipt of a refund that Invo confirmed and the period shows in its sum alone: nothing else is reported. */
export function coarseReceiptOf({ amount_usd, refunded_to_date_usd }: PeriodFacts): StoredReceipt {
  return {
    ...NOTHING_REPORTED,
    total_refunded_amount_usd: refunded_to_date_usd,
    remaining_refundable_usd: amount_usd === null ? null : subtractMoney(amount_usd, refunded_to_date_usd),
  };
}

// A receipt shows what was reversed when it was written: later refunds of the period are not included.
function reversedUpTo({ refunded_at }: PeriodRefund, { events }: PeriodFacts): string | null {
  const parts = events
    .filter((event) => compareInstants(event.refunded_at, refunded_at) <= 0)
    .map((event) => event.reversed_attributed_usd);
  return parts.every((part) => part !== null) ? sumMoney(parts) : null;
}
