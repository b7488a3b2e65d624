import type { Window } from '#lib/core/window.ts';
import type { Recipient, RefundEvent, RenewalLine, ReversalLine, SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import type { Totals } from '#lib/evidence/rules/totals.ts';

/** October 2026, the window of the samples. */
export const OCTOBER: Window = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };

/** A renewal of 10.00 USD: 3.00 to Invo, 7.00 to the partner, ten percent of that to recipient 11. */
export function sampleRenewal(change: Partial<RenewalLine> = {}): RenewalLine {
  return {
    period_id: 101,
    recipient_player_id: 11,
    paid_at: '2026-10-05T10:00:00Z',
    subscription_id: 'sub_a',
    period_seq: 3,
    item_id: 'gold',
    item_name: 'Gold pass',
    status: 'paid',
    period_start: '2026-10-05T00:00:00Z',
    period_end: '2026-11-05T00:00:00Z',
    amount_usd: '10.00',
    invo_fee_usd: '3.00',
    partner_revenue_usd: '7.00',
    partner_revenue_settled_usd: '7.00',
    partner_revenue_reversed_usd: '0.00',
    percent_at_renewal: '10.00',
    base_usd: '7.00',
    attributed_amount_usd: '0.70',
    base_matches_settled_fee: true,
    expected_base_usd: '7.00',
    recorded_base_usd: '7.00',
    rail: 'card',
    amount_coins: '100.00',
    balance_applied_coins: '0.00',
    card_charged_usd: '10.00',
    pcstore_charged_usd: null,
    refunded_amount_usd: null,
    refunded_at: null,
    transaction_id: 'tx-101',
    mint_order_id: 'mo-101',
    ...change,
  };
}

/** A refund of 4.00 of the 10.00 USD. */
export function sampleEvent(change: Partial<RefundEvent> = {}): RefundEvent {
  return {
    refunded_at: '2026-10-20T10:00:00Z',
    refunded_amount_usd: '4.00',
    cumulative_refunded_before_usd: '0.00',
    cumulative_refunded_after_usd: '4.00',
    reversed_attributed_usd: '0.28',
    partner_revenue_reversed_usd: '2.80',
    partner_revenue_reversal_basis: 'clawback',
    is_full_refund: false,
    ...change,
  };
}

/** Two refunds of one period that settled before the window, the second completing it. */
export function sampleReversal(change: Partial<ReversalLine> = {}): ReversalLine {
  return {
    period_id: 55,
    recipient_player_id: 11,
    subscription_id: 'sub_b',
    period_seq: 2,
    status: 'refunded',
    paid_at: '2026-09-10T10:00:00Z',
    amount_usd: '10.00',
    originally_attributed_usd: '0.70',
    reversed_attributed_usd: '0.70',
    partner_revenue_reversed_usd: '7.00',
    refunded_to_date_usd: '10.00',
    latest_refund_at: '2026-10-21T10:00:00Z',
    reversal_basis: 'refund_receipts',
    settled_in_this_window: false,
    nets_to_zero_in_window: false,
    note: null,
    refund_events: [
      sampleEvent(),
      sampleEvent({
        refunded_at: '2026-10-21T10:00:00Z',
        refunded_amount_usd: '6.00',
        cumulative_refunded_before_usd: '4.00',
        cumulative_refunded_after_usd: '10.00',
        reversed_attributed_usd: '0.42',
        partner_revenue_reversed_usd: '4.20',
        is_full_refund: true,
      }),
    ],
    ...change,
  };
}

/** Recipient 11 of the sample slice: two renewals in one subscription, one reversal of an earlier period. */
export function sampleRecipient(change: Partial<Recipient> = {}): Recipient {
  return {
    recipient_player_id: 11,
    resolved: true,
    player_email: 'aurora@guild.example',
    player_name: 'Aurora',
    identity_id: 'id-11',
    renewal_count: 2,
    reversal_count: 1,
    subscription_count: 1,
    gross_attributed_usd: '1.40',
    reversed_attributed_usd: '0.70',
    net_attributed_usd: '0.70',
    first_paid_at: '2026-10-05T10:00:00Z',
    last_paid_at: '2026-10-06T10:00:00Z',
    ...change,
  };
}

/** Totals of the sample slice: three renewals, one without attribution, so every bound is loose by 10.00 / 3.00 / 7.00 USD. */
export function sampleTotals(change: Partial<Totals> = {}): Totals {
  return {
    renewals_settled: 3,
    settled_gross_usd: '30.00',
    invo_fee_usd: '9.00',
    partner_revenue_settled_usd: '21.00',
    partner_revenue_reversed_usd: '7.00',
    partner_revenue_usd: '14.00',
    renewals_with_attribution: 2,
    renewals_without_attribution: 1,
    unattributed_reasons: { no_revenue_share_configured: 1 },
    gross_attributed_usd: '1.40',
    reversed_attributed_usd: '0.70',
    net_attributed_usd: '0.70',
    renewals_settled_then_fully_reversed: 0,
    refund_events_in_window: 2,
    reversals_without_receipts: 0,
    recipient_count: 1,
    ...change,
  };
}

/** A slice in which every check holds, worked out by hand. */
export function sampleSlice(change: Partial<SliceEvidence> = {}): SliceEvidence {
  return {
    window: OCTOBER,
    generated_at: '2026-11-01T00:20:00Z',
    totals: sampleTotals(),
    recipients: [sampleRecipient()],
    renewals: [sampleRenewal(), sampleRenewal({ period_id: 102, paid_at: '2026-10-06T10:00:00Z', transaction_id: 'tx-102' })],
    reversals: [sampleReversal()],
    call_count: 1,
    notice_count: 1,
    ...change,
  };
}
