import { describe, expect, test } from 'vitest';
import { sampleTotals } from '#e2e/support/evidence/sample-slice.ts';
import { ADDITIVE_TOTALS, isSameTotals, joinTotals, listDifferences, sumCounts, type Totals, writeReasons } from './totals.ts';

describe('totals of adjoining windows', () => {
  test('additive totals are added, and the others are null', () => {
    const second = sampleTotals({
      settled_gross_usd: '0.005',
      net_attributed_usd: '-1.00',
      renewals_settled: 4,
      unattributed_reasons: { no_revenue_share_configured: 2, spend_order_not_found: 5 },
    });
    expect(joinTotals([sampleTotals(), second])).toEqual({
      renewals_settled: 7,
      settled_gross_usd: '30.005',
      invo_fee_usd: '18.00',
      partner_revenue_settled_usd: '42.00',
      partner_revenue_reversed_usd: '14.00',
      partner_revenue_usd: '28.00',
      renewals_with_attribution: 4,
      renewals_without_attribution: 2,
      unattributed_reasons: { no_revenue_share_configured: 3, spend_order_not_found: 5 },
      gross_attributed_usd: '2.80',
      reversed_attributed_usd: '1.40',
      net_attributed_usd: '-0.30',
      renewals_settled_then_fully_reversed: null,
      refund_events_in_window: 4,
      reversals_without_receipts: 0,
      recipient_count: null,
    });
  });

  test('totals of one window stay unchanged', () => {
    expect(joinTotals([sampleTotals()])).toEqual(sampleTotals());
  });

  test('joining no totals throws', () => {
    expect(() => joinTotals([])).toThrow('no totals');
  });

  test('a reason named like a property of every object is an ordinary reason', () => {
    const odd = sampleTotals({ unattributed_reasons: JSON.parse('{"__proto__": 2, "constructor": 1}') as Record<string, number> });
    expect(writeReasons(joinTotals([odd, sampleTotals()]).unattributed_reasons)).toBe(
      '__proto__ 2, constructor 1, no_revenue_share_configured 1',
    );
  });
});

describe('differences', () => {
  test.each(Object.entries(ADDITIVE_TOTALS))('%s, a %s, is named when it moves', (name, kind) => {
    const moved = { ...sampleTotals(), [name]: kind === 'money' ? '999.99' : 999 };
    expect(listDifferences(sampleTotals(), moved)).toEqual([name]);
    expect(isSameTotals(sampleTotals(), moved)).toBe(false);
  });

  test('reasons are one figure; zero is the same as none', () => {
    expect(listDifferences(sampleTotals(), sampleTotals({ unattributed_reasons: { spend_order_not_found: 1 } }))).toEqual([
      'unattributed_reasons',
    ]);
    expect(
      listDifferences(sampleTotals(), sampleTotals({ unattributed_reasons: { spend_order_not_found: 0, no_revenue_share_configured: 1 } })),
    ).toEqual([]);
  });

  test('amounts compare as decimals', () => {
    expect(isSameTotals(sampleTotals(), sampleTotals({ settled_gross_usd: '30', net_attributed_usd: '0.700' }))).toBe(true);
  });

  test.each<keyof Totals>(['recipient_count', 'renewals_settled_then_fully_reversed'])(
    '%s isn’t additive, but two answers of one window must agree on it',
    (name) => {
      const moved = { ...sampleTotals(), [name]: 77 };
      expect(listDifferences(sampleTotals(), moved)).toEqual([]);
      expect(isSameTotals(sampleTotals(), moved)).toBe(false);
    },
  );
});

test('reasons are sorted by name, without those counted zero', () => {
  expect(writeReasons({ b: 2, a: 1, c: 0 })).toBe('a 1, b 2');
  expect(writeReasons({ a: 0 })).toBe('none');
  expect(writeReasons({})).toBe('none');
});

test('counts beyond the safe integers throw instead of being rounded', () => {
  expect(sumCounts([1, 2, 3])).toBe(6);
  expect(sumCounts([])).toBe(0);
  expect(() => sumCounts([Number.MAX_SAFE_INTEGER, 1])).toThrow('safe integer');
  expect(() => sumCounts([0.5])).toThrow('safe integer');
});
