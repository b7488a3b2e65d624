import { COARSE_BASIS, type RenewalLine, type RecipientReport as Reported, type ReversalLine } from '#lib/evidence/rules/evidence.ts';
import { type Totals } from '#lib/evidence/rules/totals.ts';
import { orderRefunds } from '#lib/refunds/rules/order-refunds.ts';
import type { AttributionReport, RecipientReport } from './attribution.ts';

/** The totals of a report in the flat shape the proof works on. */
export function reshapeTotals({ totals }: AttributionReport): Totals {
  const { settled_by_invo: _, ...rest } = totals;
  return rest;
}

/** Recipients of one answer with the lines it showed, in its order. Refund events come out in order of time; the lines keep theirs. */
export function reshapeRecipients({ recipients }: AttributionReport): Reported[] {
  return recipients.map((entry) => ({
    recipient_player_id: entry.recipient.player_id,
    resolved: entry.recipient.resolved,
    player_email: entry.recipient.player_email,
    player_name: entry.recipient.player_name,
    identity_id: entry.recipient.identity_id,
    renewal_count: entry.renewal_count,
    reversal_count: entry.reversal_count,
    subscription_count: entry.subscription_count,
    gross_attributed_usd: entry.gross_attributed_usd,
    reversed_attributed_usd: entry.reversed_attributed_usd,
    net_attributed_usd: entry.net_attributed_usd,
    first_paid_at: entry.first_paid_at,
    last_paid_at: entry.last_paid_at,
    renewals: entry.periods.map(reshapeRenewal),
    reversals: entry.reversals.map((line) => reshapeReversal(entry, line)),
    isTruncated: { renewals: entry.periods_truncated, reversals: entry.reversals_truncated },
  }));
}

function reshapeRenewal(line: RecipientReport['periods'][number]): RenewalLine {
  const { funding, refund, reconciliation, attribution } = line;
  return {
    period_id: line.period_id,
    recipient_player_id: attribution.recipient_player_id,
    paid_at: line.paid_at,
    subscription_id: line.subscription_id,
    period_seq: line.period_seq,
    item_id: line.item_id,
    item_name: line.item_name,
    status: line.status,
    period_start: line.period_start,
    period_end: line.period_end,
    amount_usd: line.amount_usd,
    invo_fee_usd: line.invo_fee_usd,
    partner_revenue_usd: line.partner_revenue_usd,
    partner_revenue_settled_usd: line.partner_revenue_settled_usd,
    partner_revenue_reversed_usd: line.partner_revenue_reversed_usd,
    percent_at_renewal: attribution.percent_at_renewal,
    base_usd: attribution.base_usd,
    attributed_amount_usd: attribution.attributed_amount_usd,
    base_matches_settled_fee: reconciliation?.base_matches_settled_fee ?? null,
    expected_base_usd: reconciliation?.expected_base_usd ?? null,
    recorded_base_usd: reconciliation?.recorded_base_usd ?? null,
    rail: funding?.rail ?? null,
    amount_coins: funding?.amount_coins ?? null,
    balance_applied_coins: funding?.balance_applied_coins ?? null,
    card_charged_usd: funding?.card_charged_usd ?? null,
    pcstore_charged_usd: funding?.pcstore_charged_usd ?? null,
    refunded_amount_usd: refund?.refunded_amount_usd ?? null,
    refunded_at: refund?.refunded_at ?? null,
    transaction_id: line.transaction_id,
    mint_order_id: line.mint_order_id,
  };
}

function reshapeReversal(entry: RecipientReport, line: RecipientReport['reversals'][number]): ReversalLine {
  // A coarse reversal is one row whatever it lists: its events, if any, are not receipts and stay in the raw answer.
  const receipts = line.reversal_basis === COARSE_BASIS ? [] : line.refund_events;
  const events = receipts.map(({ settled_by_invo: _, ...event }) => event);
  return {
    period_id: line.period_id,
    recipient_player_id: entry.recipient.player_id,
    subscription_id: line.subscription_id,
    period_seq: line.period_seq,
    status: line.status,
    paid_at: line.paid_at,
    amount_usd: line.amount_usd,
    originally_attributed_usd: line.originally_attributed_usd,
    reversed_attributed_usd: line.reversed_attributed_usd,
    partner_revenue_reversed_usd: line.partner_revenue_reversed_usd,
    refunded_to_date_usd: line.refunded_to_date_usd,
    latest_refund_at: line.latest_refund_at,
    reversal_basis: line.reversal_basis,
    settled_in_this_window: line.settled_in_this_window,
    nets_to_zero_in_window: line.nets_to_zero_in_window,
    note: line.note,
    refund_events: orderRefunds(events),
  };
}
