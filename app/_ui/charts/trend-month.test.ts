import { expect, test } from 'vitest';
import { drawingOf, labelOf, scaleOf, sentenceOf, type TrendMonth } from './trend-month.ts';

const OCTOBER: TrendMonth = {
  month: '2026-10',
  href: '/demo/months/2026-10',
  figures: { gross_attributed_usd: '51040.5500', reversed_attributed_usd: '2827.48', net_attributed_usd: '48213.0700' },
  isOpen: false,
  word: 'Closed',
};

test('a month says its figures to the last digit', () => {
  expect(sentenceOf(OCTOBER)).toBe('Oct 2026: net 48,213.0700, earned 51,040.5500, reversed −2,827.48');
  expect(sentenceOf({ ...OCTOBER, isOpen: true })).toMatch(/, still open$/);
});

test('a month never pulled says so and breaks the series', () => {
  const never = { ...OCTOBER, figures: null, word: 'Never pulled' };
  expect(sentenceOf(never)).toBe('Oct 2026: never pulled');
  expect(drawingOf(never)).toBeNull();
});

test('reversed is drawn below zero', () => {
  expect(drawingOf(OCTOBER)).toEqual({ gross: 51040.55, reversed: -2827.48, net: 48213.07 });
});

test('names beneath are few, and the newest month always has one', () => {
  const labels = (count: number): string[] => Array.from({ length: count }, (_, place) => labelOf(place, count));
  expect(labels(4)).toEqual(['always', 'wide', 'wide', 'always']);
  for (const count of [1, 14, 15, 24, 36]) {
    expect(labels(count).at(-1)).toBe('always');
    expect(labels(count).filter((label) => label !== 'none').length).toBeLessThanOrEqual(14);
  }
});

test('the scale holds what was reversed, and months without figures do not stretch it', () => {
  const { min, max } = scaleOf([OCTOBER, { ...OCTOBER, figures: null }]);
  expect(min).toBeLessThanOrEqual(-2827.48);
  expect(max).toBeGreaterThanOrEqual(51040.55);
  expect(max).toBeLessThan(60_000);
});
