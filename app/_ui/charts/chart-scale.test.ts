import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartScale, formatTick, placeOf } from './chart-scale.ts';

test('a scale holds every value and zero, and its ticks are few', () => {
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

test('values below zero stand lower than zero', () => {
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
])('%d is marked %s', (value, mark) => {
  expect(formatTick(value)).toBe(mark);
});
