import type { Period, UnattributedReason } from '../model.ts';
import { formatUsd, type Usd } from '../money.ts';
import type { Json } from '../wire/json.ts';
import type { Reversal } from './reversal.ts';

export interface Totals {
  settled: number;
  gross: Usd;
  fee: Usd;
  partnerSettled: Usd;
  partnerReversed: Usd;
  withAttribution: number;
  reasons: Record<UnattributedReason, number>;
  attributed: Usd;
  reversed: Usd;
  fullyReversed: number;
  events: number;
  withoutReceipts: number;
}

/** Nothing settled, nothing reversed. */
export function emptyTotals(): Totals {
  return {
    settled: 0,
    gross: 0n,
    fee: 0n,
    partnerSettled: 0n,
    partnerReversed: 0n,
    withAttribution: 0,
    reasons: { no_revenue_share_configured: 0, spend_order_not_found: 0, attribution_not_recorded: 0, attribution_malformed: 0 },
    attributed: 0n,
    reversed: 0n,
    fullyReversed: 0,
    events: 0,
    withoutReceipts: 0,
  };
}

/** Counts one settled renewal in, attributed or not. */
export function addRenewal(totals: Totals, period: Period): void {
  totals.settled += 1;
  totals.gross += period.amount;
  totals.fee += period.fee;
  totals.partnerSettled += period.partner;
  if (period.attribution !== null) {
    totals.withAttribution += 1;
    totals.attributed += period.attribution.attributed;
  } else if (period.reason !== null) {
    totals.reasons[period.reason] += 1;
  }
}

/** Counts the refunds of one renewal in, attributed or not. */
export function addReversal(totals: Totals, reversal: Reversal): void {
  totals.partnerReversed += reversal.partnerReversed;
  totals.reversed += reversal.reversedAttributed;
  totals.events += reversal.events.length;
  totals.withoutReceipts += reversal.history.basis === 'period_row' ? 1 : 0;
  totals.fullyReversed += reversal.netsToZero ? 1 : 0;
}

/** The totals object of the contract. */
export function totalsObject(totals: Totals, recipientCount: number): Json {
  return {
    renewals_settled: totals.settled,
    settled_gross_usd: formatUsd(totals.gross),
    invo_fee_usd: formatUsd(totals.fee),
    partner_revenue_settled_usd: formatUsd(totals.partnerSettled),
    partner_revenue_reversed_usd: formatUsd(totals.partnerReversed),
    partner_revenue_usd: formatUsd(totals.partnerSettled - totals.partnerReversed),
    renewals_with_attribution: totals.withAttribution,
    renewals_without_attribution: totals.settled - totals.withAttribution,
    unattributed_reasons: { ...totals.reasons },
    gross_attributed_usd: formatUsd(totals.attributed),
    reversed_attributed_usd: formatUsd(totals.reversed),
    net_attributed_usd: formatUsd(totals.attributed - totals.reversed),
    renewals_settled_then_fully_reversed: totals.fullyReversed,
    refund_events_in_window: totals.events,
    reversals_without_receipts: totals.withoutReceipts,
    recipient_count: recipientCount,
    settled_by_invo: false,
  };
}
