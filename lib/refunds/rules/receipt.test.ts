import { expect, test } from 'vitest';
import { sampleFacts, samplePeriod } from '#e2e/support/refunds/sample-refund.ts';
import { estimateRefund } from './estimate.ts';
import { compareReceipt, receiptOf } from './receipt.ts';
import type { PeriodRefund, StoredReceipt } from './stored.ts';

const ESTIMATE = estimateRefund(sampleFacts(), '5.00', { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' });
const RECEIPT: StoredReceipt = {
  refunded_amount_usd: '5.00',
  total_refunded_amount_usd: '5.00',
  remaining_refundable_usd: '15.00',
  is_full_refund: false,
  funding_shape: 'wallet',
  balance_delta_coins: '50.0',
  card_refunded_usd: '0.00',
  processor_refund_reference: null,
  processor_refund_adopted: false,
  invo_fee_retained: true,
  partner_revenue_reversed_usd: '4.50',
  partner_revenue_reversal_mode: 'prorata',
  card_fee_charged_to_partner_usd: '0.50',
  refunded_at: '2026-11-21T12:00:01Z',
  new_balance: '62.00',
  revenue_share_attribution: {
    recipient_player_id: 901,
    original_attributed_amount_usd: '1.80',
    refunded_attributed_amount_usd: '0.45',
    net_attributed_amount_usd: '1.35',
  },
};

const verdicts = (receipt: Partial<StoredReceipt>): Record<string, boolean | null> =>
  Object.fromEntries(compareReceipt(ESTIMATE, { ...RECEIPT, ...receipt }).map((row) => [row.field, row.agrees]));

test('a receipt as estimated agrees in every field, however its digits are written', () => {
  expect(new Set(Object.values(verdicts({})))).toEqual(new Set([true]));
});

test('a missing figure neither agrees nor differs', () => {
  const reported = verdicts({
    partner_revenue_reversed_usd: '4.49',
    new_balance: null,
    is_full_refund: true,
    revenue_share_attribution: null,
  });
  expect(reported).toMatchObject({
    partner_revenue_reversed_usd: false,
    new_balance: null,
    is_full_refund: false,
    net_attributed_amount_usd: null,
    card_refunded_usd: true,
  });
});

test('a share of another recipient and a returned fee are differences', () => {
  const share = { ...RECEIPT.revenue_share_attribution, recipient_player_id: 902 } as StoredReceipt['revenue_share_attribution'];
  expect(verdicts({ revenue_share_attribution: share, invo_fee_retained: false })).toMatchObject({
    recipient_player_id: false,
    invo_fee_retained: false,
  });
});

const refund = (day: string, refunded_amount_usd: string, after: string, reversed_attributed_usd: string | null): PeriodRefund => ({
  refunded_at: `2026-11-${day}T12:00:00Z`,
  refunded_amount_usd,
  cumulative_refunded_before_usd: null,
  cumulative_refunded_after_usd: after,
  is_full_refund: false,
  refund_transaction_id: `RFD_${day}`,
  reversed_attributed_usd,
  partner_revenue_reversed_usd: null,
});

const attribution = { recipient_player_id: 7, percent_at_renewal: '5', attributed_amount_usd: '0.90', reversed_attributed_usd: null };
const taken = (event: PeriodRefund, events: PeriodRefund[]): object | null =>
  receiptOf(event, samplePeriod({ events, attribution })).revenue_share_attribution;

test('a receipt from a period shows the share reversed up to its refund, whatever the order of the refunds', () => {
  const [first, second] = [refund('10', '4.00', '4.00', '0.18'), refund('12', '5.00', '9.00', '0.225')];
  expect(taken(first, [second, first])).toMatchObject({ refunded_attributed_amount_usd: '0.18', net_attributed_amount_usd: '0.72' });
  expect(taken(second, [second, first])).toMatchObject({ refunded_attributed_amount_usd: '0.405', net_attributed_amount_usd: '0.495' });
});

test("a receipt from a period leaves the reversed share unknown when an earlier refund doesn't report its part", () => {
  const [first, second] = [refund('10', '4.00', '4.00', null), refund('12', '5.00', '9.00', '0.225')];
  expect(taken(second, [first, second])).toMatchObject({ refunded_attributed_amount_usd: null, net_attributed_amount_usd: null });
});
