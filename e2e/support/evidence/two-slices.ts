import { type JoinedTotals, joinTotals } from '#lib/evidence/rules/totals.ts';
import { OCTOBER, sampleEvent, sampleRecipient, sampleRenewal, sampleReversal, sampleSlice, sampleTotals } from './sample-slice.ts';

const MIDDLE = '2026-10-16T00:00:00Z';

// Worked out by hand. First half: period 101 settles for 0.70 to recipient 11. Second half: period 101 is refunded whole (recipient 11 takes
// 0.70 back), period 102 of the same subscription settles for 0.70, and period 55 of an earlier month takes 5.00 from recipient 12.
/** The first half, by hand. */
export const FIRST = sampleSlice({
  window: { start: OCTOBER.start, end: MIDDLE },
  totals: sampleTotals({
    renewals_settled: 1,
    settled_gross_usd: '10.00',
    invo_fee_usd: '3.00',
    partner_revenue_settled_usd: '7.00',
    partner_revenue_reversed_usd: '0.00',
    partner_revenue_usd: '7.00',
    renewals_with_attribution: 1,
    renewals_without_attribution: 0,
    unattributed_reasons: {},
    gross_attributed_usd: '0.70',
    reversed_attributed_usd: '0.00',
    net_attributed_usd: '0.70',
    refund_events_in_window: 0,
  }),
  recipients: [
    sampleRecipient({
      renewal_count: 1,
      reversal_count: 0,
      gross_attributed_usd: '0.70',
      reversed_attributed_usd: '0.00',
      last_paid_at: '2026-10-05T10:00:00Z',
      player_name: 'Old name',
    }),
  ],
  renewals: [sampleRenewal({ base_matches_settled_fee: false })],
  reversals: [],
});
/** The second half, by hand. */
export const SECOND = sampleSlice({
  window: { start: MIDDLE, end: OCTOBER.end },
  totals: sampleTotals({
    renewals_settled: 1,
    settled_gross_usd: '10.00',
    invo_fee_usd: '3.00',
    partner_revenue_settled_usd: '7.00',
    partner_revenue_reversed_usd: '57.00',
    partner_revenue_usd: '-50.00',
    renewals_with_attribution: 1,
    renewals_without_attribution: 0,
    unattributed_reasons: {},
    gross_attributed_usd: '0.70',
    reversed_attributed_usd: '5.70',
    net_attributed_usd: '-5.00',
    refund_events_in_window: 2,
    recipient_count: 2,
  }),
  recipients: [
    sampleRecipient({
      renewal_count: 1,
      reversal_count: 1,
      gross_attributed_usd: '0.70',
      reversed_attributed_usd: '0.70',
      net_attributed_usd: '0.00',
      first_paid_at: '2026-10-18T10:00:00Z',
      last_paid_at: '2026-10-18T10:00:00Z',
    }),
    sampleRecipient({
      recipient_player_id: 12,
      player_name: 'Bo',
      renewal_count: 0,
      reversal_count: 1,
      subscription_count: 0,
      gross_attributed_usd: '0.00',
      reversed_attributed_usd: '5.00',
      net_attributed_usd: '-5.00',
      first_paid_at: null,
      last_paid_at: null,
    }),
  ],
  renewals: [sampleRenewal({ period_id: 102, paid_at: '2026-10-18T10:00:00Z' })],
  reversals: [
    sampleReversal({
      period_id: 101,
      paid_at: '2026-10-05T10:00:00Z',
      subscription_id: 'sub_a',
      refund_events: [fullEvent('0.70', '7.00')],
    }),
    sampleReversal({
      period_id: 55,
      recipient_player_id: 12,
      originally_attributed_usd: '5.00',
      reversed_attributed_usd: '5.00',
      partner_revenue_reversed_usd: '50.00',
      refund_events: [fullEvent('5.00', '50.00')],
    }),
  ],
});
/** What Invo would say of both together. */
export const CONTROL: JoinedTotals = {
  ...joinTotals([FIRST.totals, SECOND.totals]),
  recipient_count: 2,
  renewals_settled_then_fully_reversed: 1,
};

function fullEvent(reversed_attributed_usd: string, partner_revenue_reversed_usd: string): ReturnType<typeof sampleEvent> {
  return sampleEvent({
    refunded_amount_usd: '10.00',
    cumulative_refunded_after_usd: '10.00',
    reversed_attributed_usd,
    partner_revenue_reversed_usd,
    is_full_refund: true,
  });
}
