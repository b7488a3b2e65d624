import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  barShares,
  chartScale,
  cutShares,
  drawingOf,
  type FlowStep,
  flowSpans,
  formatTick,
  formatTrendMonth,
  labelOf,
  levelsOf,
  offsetOf,
  type RollForwardStep,
  rollForwardPoint,
  scaleOf,
  scaleOfLevels,
  type TrendMonth,
  trendPoint,
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
  expect(offsetOf(scale.max, scale, 200)).toBe(0);
  expect(offsetOf(scale.min, scale, 200)).toBe(200);
  expect(offsetOf(-50, scale, 200)).toBeGreaterThan(offsetOf(0, scale, 200));
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

const NAMES = { up: 'Gross', down: 'Reversed', line: 'Net attributed' };

const OCTOBER: TrendMonth = {
  month: '2026-10',
  href: '/demo/months/2026-10',
  amounts: { up: '51040.5500', down: '-2827.48', line: '48213.0700' },
  isOpen: false,
  word: 'Reconciled',
};

test('the label of a month has its figures to the last digit', () => {
  expect(formatTrendMonth(OCTOBER, NAMES)).toBe('Oct 2026: net attributed 48,213.0700, gross 51,040.5500, reversed −2,827.48');
  expect(formatTrendMonth({ ...OCTOBER, isOpen: true }, NAMES)).toMatch(/, open$/);
});

test('a month that isn’t pulled breaks the series', () => {
  const never = { ...OCTOBER, amounts: null, word: 'Not pulled' };
  expect(formatTrendMonth(never, NAMES)).toBe('Oct 2026: not pulled');
  expect(drawingOf(never)).toBeNull();
});

test('reversed is drawn below zero', () => {
  expect(drawingOf(OCTOBER)).toEqual({ up: 51040.55, down: -2827.48, line: 48213.07 });
});

test('at most 14 months are labelled, and always the newest', () => {
  const labels = (count: number): string[] => Array.from({ length: count }, (_, index) => labelOf(index, count));
  expect(labels(4)).toEqual(['always', 'wide', 'wide', 'always']);
  for (const count of [1, 14, 15, 24, 36]) {
    expect(labels(count).at(-1)).toBe('always');
    expect(labels(count).filter((label) => label !== 'none').length).toBeLessThanOrEqual(14);
  }
});

test('the scale holds reversed amounts, and months without figures don’t stretch it', () => {
  const { min, max } = scaleOf([OCTOBER, { ...OCTOBER, amounts: null }]);
  expect(min).toBeLessThanOrEqual(-2827.48);
  expect(max).toBeGreaterThanOrEqual(51040.55);
  expect(max).toBeLessThan(60_000);
});

test('each step starts where the previous one ended, also below zero', () => {
  const steps: [string, FlowStep['kind']][] = [
    ['100.0040', 'whole'],
    ['-10.00', 'taken'],
    ['90.0040', 'whole'],
    ['-95.00', 'taken'],
    ['1.50', 'taken'],
    ['-3.4960', 'kept'],
  ];
  expect(flowSpans(steps.map(([amount, kind]) => ({ label: kind, amount, kind }))).map(({ from, to }) => [from, to])).toEqual([
    [0, 100.004],
    [100.004, 90.004],
    [0, 90.004],
    [90.004, -4.996],
    [-4.996, -3.496],
    [0, -3.496],
  ]);
});

test('a month shows its exact figures from top to bottom, and links to its page by its label', () => {
  expect(trendPoint(OCTOBER, NAMES)).toEqual({
    key: '2026-10',
    title: 'October 2026',
    note: 'Reconciled',
    figures: [
      { label: 'Gross', amount: '51040.5500' },
      { label: 'Reversed', amount: '-2827.48' },
      { label: 'Net attributed', amount: '48213.0700' },
    ],
    link: { href: '/demo/months/2026-10', label: 'Oct 2026: net attributed 48,213.0700, gross 51,040.5500, reversed −2,827.48' },
  });
});

const ROLLED: RollForwardStep = {
  key: '8',
  label: 'Oct 2026',
  title: 'October 2026, run 8',
  note: 'Approved',
  href: '/demo/payouts/8',
  isOpen: false,
  figures: {
    opening: { label: 'Opening', amount: '-20.0010' },
    due: { label: 'Due', amount: '120.3512' },
    payable: { label: 'Payable', amount: '120.35' },
    closing: { label: 'Carried forward', amount: '0.0012' },
  },
};

test('a run of a balance shows its exact figures in the order of the roll-forward, and is named by them', () => {
  const { figures, link } = rollForwardPoint(ROLLED);
  expect(figures.map(({ label, amount }) => `${label} ${amount}`)).toEqual([
    'Opening -20.0010',
    'Due 120.3512',
    'Payable 120.35',
    'Carried forward 0.0012',
  ]);
  const label = 'October 2026, run 8, approved: opening −20.0010, due 120.3512, payable 120.35, carried forward 0.0012';
  expect(link).toEqual({ href: '/demo/payouts/8', label });
});

test('the scale of a balance holds what it opens with, what is due and what is carried forward', () => {
  const { min, max } = scaleOfLevels([levelsOf(ROLLED)]);
  expect(min).toBeLessThanOrEqual(-20.001);
  expect(max).toBeGreaterThanOrEqual(120.3512);
});

test('bars are as long as their amounts beside the largest one, whatever their sign', () => {
  expect(barShares(['-40.00', '10.00', '0.00'])).toEqual([1, 0.25, 0]);
  expect(barShares(['0.00', '0.00'])).toEqual([0, 0]);
  expect(barShares([])).toEqual([]);
});

test('one very large change is cut, so that the bars of the others stay visible', () => {
  expect(cutShares(['-900.00', '30.00', '20.00', '-10.00', '5.00'])).toEqual([
    { share: 1, isCut: true },
    { share: 0.375, isCut: false },
    { share: 0.25, isCut: false },
    { share: 0.125, isCut: false },
    { share: 0.0625, isCut: false },
  ]);
  expect(
    cutShares(['40.00', '20.00', '10.00']).map(({ isCut }) => isCut),
    'nothing is out of scale',
  ).toEqual([false, false, false]);
  expect(cutShares(['0.00'])).toEqual([{ share: 0, isCut: false }]);
});
