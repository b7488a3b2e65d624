import { describe, expect, test } from 'vitest';
import { sampleRecipient, sampleRenewal, sampleReversal, sampleSlice, sampleTotals } from '#lib/evidence/testing/sample-slice.ts';
import type { SliceEvidence } from '../evidence.ts';
import { proveSliceAlone } from './prove-window.ts';

type Change = (slice: SliceEvidence) => void;

test('every check of the hand-made slice holds, and each has something it compared', () => {
  const checks = proveSliceAlone(sampleSlice());
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(new Set(checks.map((check) => check.name)).size).toBe(checks.length);
});

describe('one thing wrong', () => {
  test.each<[string, Change, string[]]>([
    ['an answer lacks the notice', (slice) => void (slice.notice_count = 0), ['notice_fixed']],
    [
      'the report was made before its window ended',
      (slice) => void (slice.generated_at = '2026-10-31T23:59:59.999Z'),
      ['report_made_after_window'],
    ],
    [
      'the net of the totals is a cent off',
      (slice) => void (slice.totals.net_attributed_usd = '0.71'),
      ['net_is_gross_less_reversed', 'recipients_sum_to_net'],
    ],
    [
      'the gross of the totals is a cent off',
      (slice) => void (slice.totals.gross_attributed_usd = '1.41'),
      ['net_is_gross_less_reversed', 'recipients_sum_to_gross'],
    ],
    [
      'the reversed of the totals is a cent off',
      (slice) => void (slice.totals.reversed_attributed_usd = '0.69'),
      ['net_is_gross_less_reversed', 'recipients_sum_to_reversed'],
    ],
    [
      'partner revenue is a cent off',
      (slice) => void (slice.totals.partner_revenue_usd = '14.01'),
      ['partner_revenue_is_settled_less_reversed'],
    ],
    ['a renewal is neither attributed nor not', (slice) => void (slice.totals.renewals_settled = 4), ['renewals_split_by_attribution']],
    ['a reason is missing', (slice) => void (slice.totals.unattributed_reasons = {}), ['reasons_sum_to_unattributed']],
    ['a recipient more is counted', (slice) => void (slice.totals.recipient_count = 2), ['recipients_are_counted']],
    [
      'a recipient came twice',
      (slice) =>
        void slice.recipients.push(
          sampleRecipient({ gross_attributed_usd: '0', reversed_attributed_usd: '0', net_attributed_usd: '0', renewal_count: 2 }),
        ),
      ['lines_sum_to_gross', 'reversals_sum_to_reversed'],
    ],
    [
      'the fee is a cent off, which the contract does not forbid',
      (slice) => void (slice.totals.invo_fee_usd = '9.01'),
      ['gross_is_fee_plus_partner'],
    ],
    [
      'a recipient’s net is a cent off',
      (slice) => change(slice.recipients[0], { net_attributed_usd: '0.71' }),
      ['recipients_sum_to_net', 'recipient_net_is_gross_less_reversed'],
    ],
    [
      'a recipient has a line more than is here',
      (slice) => change(slice.recipients[0], { renewal_count: 3 }),
      ['renewal_lines_are_counted'],
    ],
    [
      'a recipient has a reversal more than is here',
      (slice) => change(slice.recipients[0], { reversal_count: 2 }),
      ['reversals_are_counted'],
    ],
    [
      'a recipient has subscriptions nobody can find',
      (slice) => change(slice.recipients[0], { subscription_count: 3 }),
      ['subscriptions_are_counted'],
    ],
    [
      'a line is missing',
      (slice) => void slice.renewals.pop(),
      ['renewal_lines_are_counted', 'lines_sum_to_gross', 'lines_sum_to_attributed_renewals'],
    ],
    ['a reversal is missing', (slice) => void slice.reversals.pop(), ['reversals_are_counted', 'reversals_sum_to_reversed']],
    [
      'a line of nobody in the list',
      (slice) => void slice.renewals.push(sampleRenewal({ period_id: 103, recipient_player_id: 99 })),
      ['lines_sum_to_attributed_renewals'],
    ],
    ['a line is attributed a cent more', (slice) => change(slice.renewals[0], { attributed_amount_usd: '0.71' }), ['lines_sum_to_gross']],
    ['a line is attributed more than its base', (slice) => change(slice.renewals[0], { base_usd: '0.69' }), ['attributed_within_base']],
    [
      'a line is attributed less than nothing',
      (slice) => change(slice.renewals[0], { attributed_amount_usd: '-0.01' }),
      ['lines_sum_to_gross', 'attributed_within_base'],
    ],
    [
      'a line’s partner revenue is a cent off',
      (slice) => change(slice.renewals[0], { partner_revenue_usd: '6.99' }),
      ['line_partner_revenue_is_settled_less_reversed'],
    ],
    ['the lines hold more fee than was settled', (slice) => change(slice.renewals[0], { invo_fee_usd: '6.01' }), ['lines_within_settled']],
    [
      'the lines hold more partner revenue than was settled',
      (slice) => change(slice.renewals[0], { partner_revenue_settled_usd: '14.01', partner_revenue_usd: '14.01' }),
      ['lines_within_settled'],
    ],
    [
      'the lines hold a higher price than was settled',
      (slice) => change(slice.renewals[0], { amount_usd: '20.01' }),
      ['lines_within_gross'],
    ],
    [
      'the reversals hold more partner revenue than was reversed',
      (slice) => change(slice.reversals[0], { partner_revenue_reversed_usd: '7.01' }),
      ['lines_within_reversed'],
    ],
    [
      'more refund events are here than were counted',
      (slice) => void (slice.totals.refund_events_in_window = 1),
      ['refund_events_within_total'],
    ],
    ['more coarse reversals are here than were counted', (slice) => void (slice.reversals = [coarse()]), ['coarse_reversals_counted']],
  ])('%s: exactly these checks say so', (_, spoil, names) => {
    const slice = copy();
    spoil(slice);
    const broken = proveSliceAlone(slice).filter((check) => !check.ok);
    expect(broken.map((check) => check.name).toSorted()).toEqual(names.toSorted());
    for (const check of broken) expect(check.offenders.length).toBeGreaterThan(0);
  });
});

describe('what is only bounded', () => {
  test('totals may hold more than the lines, for renewals without attribution have none', () => {
    const totals = sampleTotals({
      invo_fee_usd: '900.00',
      partner_revenue_settled_usd: '2100.00',
      partner_revenue_reversed_usd: '700.00',
      partner_revenue_usd: '1400.00',
      settled_gross_usd: '3000.00',
      refund_events_in_window: 99,
      reversals_without_receipts: 9,
    });
    expect(proveSliceAlone(sampleSlice({ totals })).filter((check) => !check.ok)).toEqual([]);
  });

  test('warnings are warnings: the fee equation, the price and the base do not make a statement inconsistent', () => {
    const severities = Object.fromEntries(proveSliceAlone(sampleSlice()).map((check) => [check.name, check.severity]));
    const warnings = Object.keys(severities).filter((name) => severities[name] === 'warning');
    expect(warnings.toSorted()).toEqual([
      'attributed_within_base',
      'gross_is_fee_plus_partner',
      'lines_within_gross',
      'reversed_within_attributed',
    ]);
  });

  test('subscription_count may count those that were only reversed, or not', () => {
    for (const count of [1, 2]) {
      const slice = copy();
      change(slice.recipients[0], { subscription_count: count });
      expect(proveSliceAlone(slice).find((check) => check.name === 'subscriptions_are_counted')?.ok).toBe(true);
    }
  });

  test('a coarse reversal has nothing to be held against but its amount', () => {
    const slice = sampleSlice({
      reversals: [coarse()],
      totals: sampleTotals({ refund_events_in_window: 0, reversals_without_receipts: 1 }),
    });
    expect(proveSliceAlone(slice).filter((check) => !check.ok)).toEqual([]);
  });
});

test('an empty window proves: nothing settled, nothing reversed', () => {
  const nothing = Object.fromEntries(
    Object.entries(sampleTotals()).map(([name, value]) => [name, typeof value === 'string' ? '0.00' : typeof value === 'number' ? 0 : {}]),
  );
  const slice = sampleSlice({ totals: nothing as unknown as SliceEvidence['totals'], recipients: [], renewals: [], reversals: [] });
  expect(proveSliceAlone(slice).filter((check) => !check.ok)).toEqual([]);
});

function coarse(): SliceEvidence['reversals'][number] {
  return sampleReversal({ reversal_basis: 'period_row', refund_events: [], partner_revenue_reversed_usd: null });
}

function copy(): SliceEvidence {
  return structuredClone(sampleSlice());
}

function change<T extends object>(target: T | undefined, fields: Partial<T>): void {
  if (!target) throw new Error('the sample has no such row');
  Object.assign(target, fields);
}
