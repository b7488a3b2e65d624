import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chartScale,
  drawingOf,
  flowSteps,
  formatTick,
  formatTrendMonth,
  labelOf,
  placeOf,
  scaleOf,
  type TrendMonth,
} from './chart-series.ts';

test('a scale holds every value and zero, with at most seven ticks', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }).map((value) => Math.round(value * 100) / 100)), (values) => {
      const { min, max, ticks } = chartScale(values);
      expect(min).toBeLessThanOrEqual(Math.min(0, ...values));
      expect(max).toBeGreaterThanOrEqual(Math.max(0, ...values));
      expect(ticks.some((tick) => tick === 0)).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

test('negative values are drawn below zero', () => {
  const scale = chartScale([100, -50]);
  expect(placeOf(scale.max, scale, 200)).toBe(0);
  expect(placeOf(scale.min, scale, 200)).toBe(200);
  expect(placeOf(-50, scale, 200)).toBeGreaterThan(placeOf(0, scale, 200));
});

test.each([
  [0, '0'],
  [250, '250'],
  [12_500, '12.5k'],
  [-5_000, '−5k'],
  [2_000_000, '2M'],
])('the tick %d is labelled %s', (value, mark) => {
  expect(formatTick(value)).toBe(mark);
});

const OCTOBER: TrendMonth = {
  month: '2026-10',
  href: '/demo/months/2026-10',
  figures: { gross_attributed_usd: '51040.5500', reversed_attributed_usd: '2827.48', net_attributed_usd: '48213.0700' },
  isOpen: false,
  word: 'Reconciled',
};

test('the label of a month has its figures to the last digit', () => {
  expect(formatTrendMonth(OCTOBER)).toBe('Oct 2026: net attributed 48,213.0700, gross 51,040.5500, reversed −2,827.48');
  expect(formatTrendMonth({ ...OCTOBER, isOpen: true })).toMatch(/, open$/);
});

test('a month that isn’t pulled breaks the series', () => {
  const never = { ...OCTOBER, figures: null, word: 'Not pulled' };
  expect(formatTrendMonth(never)).toBe('Oct 2026: not pulled');
  expect(drawingOf(never)).toBeNull();
});

test('reversed is drawn below zero', () => {
  expect(drawingOf(OCTOBER)).toEqual({ gross: 51040.55, reversed: -2827.48, net: 48213.07 });
});

test('at most 14 months are labelled, and always the newest', () => {
  const labels = (count: number): string[] => Array.from({ length: count }, (_, place) => labelOf(place, count));
  expect(labels(4)).toEqual(['always', 'wide', 'wide', 'always']);
  for (const count of [1, 14, 15, 24, 36]) {
    expect(labels(count).at(-1)).toBe('always');
    expect(labels(count).filter((label) => label !== 'none').length).toBeLessThanOrEqual(14);
  }
});

test('the scale holds reversed amounts, and months without figures don’t stretch it', () => {
  const { min, max } = scaleOf([OCTOBER, { ...OCTOBER, figures: null }]);
  expect(min).toBeLessThanOrEqual(-2827.48);
  expect(max).toBeGreaterThanOrEqual(51040.55);
  expect(max).toBeLessThan(60_000);
});

const TOTALS = {
  settled_gross_usd: '100.0040',
  invo_fee_usd: '10.00',
  partner_revenue_settled_usd: '90.0040',
  partner_revenue_reversed_usd: '95.00',
  partner_revenue_usd: '-4.9960',
  net_attributed_usd: '-1.50',
};

test('each step starts where the previous one ended, also below zero', () => {
  expect(flowSteps(TOTALS).map(({ from, to }) => [from, to])).toEqual([
    [0, 100.004],
    [100.004, 90.004],
    [0, 90.004],
    [90.004, -4.996],
    [-4.996, -3.496],
    [0, -3.496],
  ]);
});

test('amounts keep every digit, and deductions are negative', () => {
  expect(flowSteps(TOTALS).map(({ amount }) => amount)).toEqual(['100.0040', '-10.00', '90.0040', '-95.00', '1.50', '-3.4960']);
});
