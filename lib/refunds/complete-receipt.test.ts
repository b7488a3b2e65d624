import { expect, test } from 'vitest';
import { receiptOf } from './complete-receipt.ts';
import type { PeriodRefund } from './rules/period-facts.ts';
import { samplePeriod } from './testing/sample-refund.ts';

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
const taken = (of: PeriodRefund, events: PeriodRefund[]): object | null =>
  receiptOf(of, samplePeriod({ events, attribution })).revenue_share_attribution;

test('a receipt tells what was taken back of the share by then, in whatever order the refunds stand', () => {
  const [first, second] = [refund('10', '4.00', '4.00', '0.18'), refund('12', '5.00', '9.00', '0.225')];
  expect(taken(first, [second, first])).toMatchObject({ refunded_attributed_amount_usd: '0.18', net_attributed_amount_usd: '0.72' });
  expect(taken(second, [second, first])).toMatchObject({ refunded_attributed_amount_usd: '0.405', net_attributed_amount_usd: '0.495' });
});

test('and tells nothing where one of the earlier refunds does not tell its part', () => {
  const [first, second] = [refund('10', '4.00', '4.00', null), refund('12', '5.00', '9.00', '0.225')];
  expect(taken(second, [first, second])).toMatchObject({ refunded_attributed_amount_usd: null, net_attributed_amount_usd: null });
});
