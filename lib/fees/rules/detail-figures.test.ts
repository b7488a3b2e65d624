import { describe, expect, test } from 'vitest';
import {
  afterFeesOf,
  chooseDetails,
  compareLifetime,
  type DetailFigures,
  type LifetimeReport,
  minutesOf,
  parseDetailFigures,
} from './detail-figures.ts';

const FEE = { amount_usd: '0.00', unrecorded: 0 };
const ALL_READ: DetailFigures = {
  version: 1,
  cardPeriods: { count: 420, read: 420 },
  unnamed: 0,
  pass_through: { amount_usd: '0.75', unrecorded: 0 },
  chargeback: { amount_usd: '15.00', unrecorded: 0 },
  held: { amount_usd: '20.00', unrecorded: 0 },
  refunded: { count: 3, read: 3 },
  unlistedRefunds: 0,
  card_fee: { amount_usd: '6.30', unrecorded: 0, undated: 0 },
  subscriptions: { count: 400, read: 400 },
  lifetime: { matching: 400, differing: 0, notComparable: 0, differences: [] },
};
const TOTALS = { partner_revenue_usd: '30.0036', reversals_without_receipts: 0 };

describe('partner revenue after fees', () => {
  test('is the month’s partner revenue less every fee, to the last digit, and can be below zero', () => {
    expect(afterFeesOf(ALL_READ, TOTALS)).toEqual({ amount_usd: '-12.0464' });
  });

  test.each<[string, Partial<DetailFigures>, number, string]>([
    ['a card period isn’t read', { cardPeriods: { count: 420, read: 419 } }, 0, 'card_periods_not_read'],
    ['a refunded period isn’t read', { refunded: { count: 3, read: 2 } }, 0, 'refunded_periods_not_read'],
    ['Invo counts a refund that no report lists', { unlistedRefunds: 1 }, 0, 'refunds_not_listed'],
    ['a fee isn’t recorded', { chargeback: { ...FEE, unrecorded: 1 } }, 0, 'fees_not_recorded'],
    ['a card fee isn’t recorded', { card_fee: { ...FEE, unrecorded: 1, undated: 0 } }, 0, 'fees_not_recorded'],
    ['a card fee belongs to several months', { card_fee: { ...FEE, undated: 1 } }, 0, 'card_fee_not_dated'],
    ['a reversal has no receipts', {}, 1, 'reversals_without_receipts'],
  ])('isn’t stated when %s', (_, changed, reversals_without_receipts, gap) => {
    expect(afterFeesOf({ ...ALL_READ, ...changed }, { ...TOTALS, reversals_without_receipts })).toEqual({ gaps: [gap] });
  });
});

describe('what is read of a month', () => {
  test.each([
    ['by_size', 1_999, true],
    ['by_size', 2_000, false],
    ['on', 2_000, true],
    ['off', 1, false],
  ] as const)('with card periods %s and %i of them: %s', (cardPeriods, count, isRead) => {
    expect(chooseDetails({ cardPeriods, subscriptions: 'off' }, { cardPeriods: count, subscriptions: 1 }).cardPeriods).toBe(isRead);
  });

  test.each([
    ['by_size', 5_000, true],
    ['by_size', 5_001, false],
    ['on', 5_001, true],
    ['off', 1, false],
  ] as const)('with subscriptions %s and %i of them: %s', (subscriptions, count, isRead) => {
    expect(chooseDetails({ cardPeriods: 'off', subscriptions }, { cardPeriods: 1, subscriptions: count }).subscriptions).toBe(isRead);
  });

  test('takes a minute for each 500 calls or part of them', () => {
    expect([0, 1, 500, 501, 20_000].map(minutesOf)).toEqual([1, 1, 1, 2, 40]);
  });
});

test('figures of another version are not read as this one', () => {
  expect(parseDetailFigures(ALL_READ)).toEqual(ALL_READ);
  expect(parseDetailFigures({ ...ALL_READ, version: 2 })).toBeNull();
  expect(parseDetailFigures({ ...ALL_READ, held: { amount_usd: 'NaN', unrecorded: 0 } })).toBeNull();
});

const SPAN = { start: '2026-09-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const OWN = { span: SPAN, gross_usd: '7.20', reversed_usd: '1.80' };
const cycle = (paid_at: string | null, more: Partial<LifetimeReport['cycles'][number]> = {}): LifetimeReport['cycles'][number] => ({
  paid_at,
  attributed_amount_usd: paid_at === null ? null : '3.60',
  refunded_amount_usd: null,
  refunded_at: null,
  ...more,
});
const REPORT: LifetimeReport = {
  subscription_id: 'SUB_1',
  totals: { gross_attributed_usd: '7.20', reversed_attributed_usd: '1.80' },
  isWhole: true,
  cycles: [
    cycle(null),
    cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '10.00', refunded_at: '2026-10-02T00:00:00Z' }),
    cycle('2026-09-01T00:00:00Z'),
  ],
};

describe('the totals over a subscription’s life', () => {
  test('match the lines of the months when both sums are equal', () => {
    expect(compareLifetime(REPORT, OWN)).toEqual({ kind: 'matches' });
  });

  test('count renewals outside the pulled months as the report lists them', () => {
    const totals = { gross_attributed_usd: '14.40', reversed_attributed_usd: '1.80' };
    const cycles = [cycle('2026-11-01T00:00:00Z'), ...REPORT.cycles, cycle('2026-08-01T00:00:00Z')];
    expect(compareLifetime({ ...REPORT, totals, cycles }, OWN)).toEqual({ kind: 'matches' });
  });

  test('differ with both sides when the months lack a line or a reversal', () => {
    expect(compareLifetime(REPORT, { ...OWN, gross_usd: '3.60', reversed_usd: '0.00' })).toEqual({
      kind: 'differs',
      subscription_id: 'SUB_1',
      invo_gross_usd: '7.20',
      own_gross_usd: '3.60',
      invo_reversed_usd: '1.80',
      own_reversed_usd: '0.00',
    });
  });

  test.each<[string, Partial<LifetimeReport>]>([
    ['Invo states no totals', { totals: null }],
    ['the report lists some of the cycles only', { isWhole: false }],
    [
      'a refund came after the pulled months',
      { cycles: [cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '1.00', refunded_at: '2026-11-01T00:00:00Z' })] },
    ],
    [
      'a refunded period settled before the pulled months',
      { cycles: [cycle('2026-08-31T00:00:00Z', { refunded_amount_usd: '1.00', refunded_at: '2026-09-02T00:00:00Z' })] },
    ],
    ['a refund has no date', { cycles: [cycle('2026-10-01T00:00:00Z', { refunded_amount_usd: '1.00' })] }],
  ])('aren’t compared when %s', (_, changed) => {
    expect(compareLifetime({ ...REPORT, ...changed }, OWN)).toEqual({ kind: 'not_comparable' });
  });
});
