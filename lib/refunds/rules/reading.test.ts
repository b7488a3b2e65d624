import { expect, test } from 'vitest';
import { samplePeriod } from '#e2e/support/refunds/sample-refund.ts';
import { judgeReading } from './reading.ts';
import type { PeriodFacts, PeriodRefund } from './stored.ts';

const SENT = Date.parse('2026-11-21T12:00:00Z');
const MINUTE = 60_000;
const BEFORE = samplePeriod();

function refund(changed: Partial<PeriodRefund> = {}): PeriodRefund {
  return {
    refunded_at: '2026-11-21T12:00:01Z',
    refunded_amount_usd: '5.00',
    cumulative_refunded_before_usd: '0.00',
    cumulative_refunded_after_usd: '5.00',
    is_full_refund: false,
    refund_transaction_id: 'T1',
    reversed_attributed_usd: '0.45',
    partner_revenue_reversed_usd: '4.50',
    ...changed,
  };
}

function judge(now: Partial<PeriodFacts>, minutes: number, claimed: string[] = []): string {
  const requested = { amount_usd: '5.00', firstSentAt: SENT, lastSentAt: SENT, before: BEFORE, claimed };
  return judgeReading(requested, { period: { ...BEFORE, ...now }, at: SENT + minutes * MINUTE }).kind;
}

const PAID_BACK = { refunded_to_date_usd: '5.00', refund_count: 1 };

test.each<[string, string, Partial<PeriodFacts>, number, string[]]>([
  ['landed', 'one new refund of this amount', { ...PAID_BACK, events: [refund()] }, 1, []],
  [
    'landed',
    'beside one of ours that is accounted for',
    {
      events: [
        refund({ refund_transaction_id: 'T0', refunded_at: '2026-11-21T11:59:00Z', cumulative_refunded_after_usd: '5.0' }),
        refund(),
      ],
    },
    1,
    ['T0'],
  ],
  ['too_early', 'nothing new half an hour less a minute after', {}, 29, []],
  ['not_landed', 'nothing new half an hour after', {}, 30, []],
  ['unclear', 'another amount', { events: [refund({ refunded_amount_usd: '5.01' })] }, 60, []],
  [
    'unclear',
    'two new ones',
    { events: [refund(), refund({ refunded_at: '2026-11-21T12:00:02Z', cumulative_refunded_after_usd: '10.00' })] },
    60,
    [],
  ],
  ['unclear', 'one from long before the first attempt', { events: [refund({ refunded_at: '2026-11-21T11:44:00Z' })] }, 60, []],
  ['unclear', 'one from long after the last', { events: [refund({ refunded_at: '2026-11-21T12:16:00Z' })] }, 60, []],
  ['risen', 'this much more refunded, without an event', { refunded_to_date_usd: '5.00', refund_basis: 'period_row' }, 60, []],
  ['too_early', 'this much more, which may be listed soon', { refunded_to_date_usd: '5.00', refund_basis: 'period_row' }, 29, []],
  ['unclear', 'another amount more, without an event', { refunded_to_date_usd: '5.01', refund_basis: 'period_row' }, 60, []],
  [
    'unclear',
    'this much more, where Invo states receipts and lists none',
    { refunded_to_date_usd: '5.00', refund_basis: 'refund_receipts' },
    60,
    [],
  ],
  ['unclear', 'another status', { status: 'refunded' }, 60, []],
])('the reading suggests %s: %s', (kind, _, now, minutes, claimed) => {
  expect(judge(now, minutes, claimed)).toBe(kind);
});
