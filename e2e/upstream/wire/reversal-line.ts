import { formatInstant } from '../instant.ts';
import { formatUsd } from '../money.ts';
import type { Book } from '../report/book.ts';
import type { RefundEvent } from '../report/refund-history.ts';
import type { Reversal } from '../report/reversal.ts';
import type { Json } from './json.ts';
import { cycleStatus, paidAtText } from './renewal-line.ts';

const NOTES = {
  refund_receipts: 'Exact: one event per refund receipt dated in this window.',
  period_row:
    'Coarse: no refund receipt; the whole reversal is reported in the window of the latest refund, and no partner-revenue clawback is shown.',
};

/** One renewal's reversal in the contract's words: window figures beside cumulative ones that are reference only. */
export function reversalLine(book: Book, reversal: Reversal): Json {
  const { period, history } = reversal;
  return {
    period_id: period.id,
    subscription_id: period.subscription.id,
    period_seq: period.seq,
    status: cycleStatus(book, period),
    paid_at: paidAtText(period),
    settled_in_this_window: reversal.isSettledInWindow,
    amount_usd: formatUsd(period.amount),
    originally_attributed_usd: formatUsd(period.attribution?.attributed ?? 0n),
    refunded_to_date_usd: formatUsd(history.refundedToDate),
    latest_refund_at: history.latestMs === null ? null : formatInstant(history.latestMs),
    reversed_attributed_usd: formatUsd(reversal.reversedAttributed),
    partner_revenue_reversed_usd: formatUsd(reversal.partnerReversed),
    refund_events: reversal.events.map(refundEventObject),
    reversal_basis: history.basis,
    nets_to_zero_in_window: reversal.netsToZero,
    note: NOTES[history.basis],
  };
}

/** One refund event; the amounts are of this event alone. */
export function refundEventObject(event: RefundEvent): Json {
  return {
    refunded_at: formatInstant(event.atMs),
    refunded_amount_usd: formatUsd(event.amount),
    cumulative_refunded_before_usd: formatUsd(event.before),
    cumulative_refunded_after_usd: formatUsd(event.after),
    reversed_attributed_usd: formatUsd(event.reversedAttributed),
    partner_revenue_reversed_usd: formatUsd(event.partnerReversed),
    partner_revenue_reversal_basis: event.partnerBasis,
    is_full_refund: event.isFull,
    settled_by_invo: false,
  };
}
