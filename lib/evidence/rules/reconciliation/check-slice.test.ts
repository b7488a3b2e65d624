import { describe, expect, test } from 'vitest';
import {
  OCTOBER,
  sampleEvent,
  sampleRecipient,
  sampleRenewal,
  sampleReversal,
  sampleSlice,
  sampleTotals,
} from '#e2e/support/evidence/sample-slice.ts';
import type { RefundEvent, ReversalLine, SliceEvidence } from '../evidence.ts';
import { type Check, CheckList } from './check.ts';
import { checkReversal } from './check-slice.ts';
import { reconcileSlice } from './check-window.ts';

type Change = (slice: SliceEvidence) => void;

test('every check of the sample slice matches, and each compares something', () => {
  const checks = reconcileSlice(sampleSlice());
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(new Set(checks.map((check) => check.name)).size).toBe(checks.length);
});

describe('a single error', () => {
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
      'a recipient counts one line more than is listed',
      (slice) => change(slice.recipients[0], { renewal_count: 3 }),
      ['renewal_lines_are_counted'],
    ],
    [
      'a recipient counts one reversal more than is listed',
      (slice) => change(slice.recipients[0], { reversal_count: 2 }),
      ['reversals_are_counted'],
    ],
    [
      'a recipient counts subscriptions that have no lines',
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
      'a line belongs to no listed recipient',
      (slice) => void slice.renewals.push(sampleRenewal({ period_id: 103, recipient_player_id: 99 })),
      ['lines_sum_to_attributed_renewals'],
    ],
    ['a line is attributed a cent more', (slice) => change(slice.renewals[0], { attributed_amount_usd: '0.71' }), ['lines_sum_to_gross']],
    ['a line is attributed more than its base', (slice) => change(slice.renewals[0], { base_usd: '0.69' }), ['attributed_within_base']],
    [
      'the attributed amount of a line is negative',
      (slice) => change(slice.renewals[0], { attributed_amount_usd: '-0.01' }),
      ['lines_sum_to_gross', 'attributed_within_base'],
    ],
    [
      'a line’s partner revenue is a cent off',
      (slice) => change(slice.renewals[0], { partner_revenue_usd: '6.99' }),
      ['line_partner_revenue_is_settled_less_reversed'],
    ],
    ['the lines have more fee than was settled', (slice) => change(slice.renewals[0], { invo_fee_usd: '6.01' }), ['lines_within_settled']],
    [
      'the lines have more partner revenue than was settled',
      (slice) => change(slice.renewals[0], { partner_revenue_settled_usd: '14.01', partner_revenue_usd: '14.01' }),
      ['lines_within_settled'],
    ],
    [
      'the lines have a higher price than was settled',
      (slice) => change(slice.renewals[0], { amount_usd: '20.01' }),
      ['lines_within_gross'],
    ],
    [
      'the reversals have more partner revenue than was reversed',
      (slice) => change(slice.reversals[0], { partner_revenue_reversed_usd: '7.01' }),
      ['lines_within_reversed'],
    ],
    [
      'more refund events are listed than counted',
      (slice) => void (slice.totals.refund_events_in_window = 1),
      ['refund_events_within_total'],
    ],
    ['more coarse reversals are here than were counted', (slice) => void (slice.reversals = [coarse()]), ['coarse_reversals_counted']],
  ])('when %s, exactly these checks don’t match', (_, spoil, names) => {
    const slice = copy();
    spoil(slice);
    const broken = reconcileSlice(slice).filter((check) => !check.ok);
    expect(broken.map((check) => check.name).toSorted()).toEqual(names.toSorted());
    for (const check of broken) expect(check.offenders.length).toBeGreaterThan(0);
  });
});

describe('a bounded figure', () => {
  test('totals may exceed the lines, because renewals without attribution have no lines', () => {
    const totals = sampleTotals({
      invo_fee_usd: '900.00',
      partner_revenue_settled_usd: '2100.00',
      partner_revenue_reversed_usd: '700.00',
      partner_revenue_usd: '1400.00',
      settled_gross_usd: '3000.00',
      refund_events_in_window: 99,
      reversals_without_receipts: 9,
    });
    expect(reconcileSlice(sampleSlice({ totals })).filter((check) => !check.ok)).toEqual([]);
  });

  test('the fee equation, the price and the base cause warnings and don’t make a snapshot inconsistent', () => {
    const severities = Object.fromEntries(reconcileSlice(sampleSlice()).map((check) => [check.name, check.severity]));
    const warnings = Object.keys(severities).filter((name) => severities[name] === 'warning');
    expect(warnings.toSorted()).toEqual([
      'attributed_within_base',
      'gross_is_fee_plus_partner',
      'lines_within_gross',
      'reversed_within_attributed',
    ]);
  });

  test('subscription_count may or may not include subscriptions that only have reversals', () => {
    for (const count of [1, 2]) {
      const slice = copy();
      change(slice.recipients[0], { subscription_count: count });
      expect(reconcileSlice(slice).find((check) => check.name === 'subscriptions_are_counted')?.ok).toBe(true);
    }
  });

  test('a coarse reversal is compared by its amount only', () => {
    const slice = sampleSlice({
      reversals: [coarse()],
      totals: sampleTotals({ refund_events_in_window: 0, reversals_without_receipts: 1 }),
    });
    expect(reconcileSlice(slice).filter((check) => !check.ok)).toEqual([]);
  });
});

test('an empty window reconciles with nothing settled and nothing reversed', () => {
  const nothing = Object.fromEntries(
    Object.entries(sampleTotals()).map(([name, value]) => [name, typeof value === 'string' ? '0.00' : typeof value === 'number' ? 0 : {}]),
  );
  const slice = sampleSlice({ totals: nothing as unknown as SliceEvidence['totals'], recipients: [], renewals: [], reversals: [] });
  expect(reconcileSlice(slice).filter((check) => !check.ok)).toEqual([]);
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

const WHOLE_HERE = { paid_at: '2026-10-02T10:00:00Z', settled_in_this_window: true, nets_to_zero_in_window: true };

describe('a reversal matches its refund events', () => {
  test.each<[string, Partial<ReversalLine>]>([
    ['of an earlier window', {}],
    ['settled and refunded here', WHOLE_HERE],
    ['with flags that were not recorded', { settled_in_this_window: null, nets_to_zero_in_window: null }],
    ['whose first event here continues an earlier one', { reversed_attributed_usd: '0.42', refund_events: [lastEvent()] }],
    ['with two refunds at one instant', { refund_events: [sampleEvent({ refunded_at: lastEvent().refunded_at }), lastEvent()] }],
    ['coarse, without events', { reversal_basis: 'period_row', refund_events: [] }],
    ['of an unknown basis, with its events', { reversal_basis: 'something_new' }],
  ])('%s', (_, fields) => {
    expect(broken(sampleReversal(fields))).toEqual([]);
  });
});

describe('a single error in a reversal', () => {
  test.each<[string, Partial<ReversalLine>, string[]]>([
    ['its amount is a cent off', { reversed_attributed_usd: '0.69' }, ['refund_events_sum_to_reversal']],
    ['it has no event and is not coarse', { refund_events: [] }, ['refund_events_sum_to_reversal']],
    [
      'a coarse one has events that do not add up',
      { reversal_basis: 'period_row', reversed_attributed_usd: '0.60' },
      ['refund_events_sum_to_reversal'],
    ],
    [
      'an event does not add to what was refunded before',
      { refund_events: [sampleEvent({ refunded_amount_usd: '4.01' }), lastEvent()] },
      ['refund_events_chain'],
    ],
    [
      'an event does not continue the one before',
      { refund_events: [sampleEvent(), lastEvent({ cumulative_refunded_before_usd: '4.01', refunded_amount_usd: '5.99' })] },
      ['refund_events_chain'],
    ],
    [
      'events are in the wrong order',
      { refund_events: [sampleEvent({ refunded_at: '2026-10-22T10:00:00Z' }), lastEvent()] },
      ['refund_events_chain'],
    ],
    [
      'a full refund is followed by another',
      { refund_events: [sampleEvent({ is_full_refund: true }), lastEvent()] },
      ['full_refund_comes_last'],
    ],
    ['it says it settled here and did not', { settled_in_this_window: true }, ['nets_to_zero_is_whole']],
    ['it settled here and says it did not', { ...WHOLE_HERE, settled_in_this_window: false }, ['nets_to_zero_is_whole']],
    ['it says it nets to zero and settled before', { nets_to_zero_in_window: true }, ['nets_to_zero_is_whole']],
    ['it says it nets to zero and a part is left', { ...WHOLE_HERE, originally_attributed_usd: '0.71' }, ['nets_to_zero_is_whole']],
    ['it takes back more than was attributed', { originally_attributed_usd: '0.69' }, ['reversed_within_attributed']],
    [
      'the reversed amount is negative',
      { reversed_attributed_usd: '-0.01' },
      ['refund_events_sum_to_reversal', 'reversed_within_attributed'],
    ],
  ])('%s', (_, fields, names) => {
    expect(
      broken(sampleReversal(fields))
        .map((check) => check.name)
        .toSorted(),
    ).toEqual(names);
  });
});

test('a period that settled at the end of the window is not part of it', () => {
  const atTheEnd = sampleReversal({ paid_at: OCTOBER.end, settled_in_this_window: false });
  const atTheStart = sampleReversal({ paid_at: OCTOBER.start, settled_in_this_window: true });
  expect(broken(atTheEnd)).toEqual([]);
  expect(broken(atTheStart)).toEqual([]);
});

function lastEvent(fields: Partial<RefundEvent> = {}): RefundEvent {
  const event = sampleReversal().refund_events[1];
  if (!event) throw new Error('the sample has two events');
  return { ...event, ...fields };
}

function broken(reversal: ReversalLine): Check[] {
  const checks = new CheckList();
  checkReversal(checks, reversal, OCTOBER);
  return checks.close().filter((check) => !check.ok);
}
