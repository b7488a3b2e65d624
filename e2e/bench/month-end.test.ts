import { expect, test } from 'vitest';
import { simulateMonthEnd, timeOfPull } from './month-end.ts';

const RULES = { callsPerMinute: 55, callsAtOnce: 4, call_s: 0.5 };
const cost = (calls: number) => ({ calls, pull_s: 1, render_s: 2 });

test.each([
  [1, 1.5],
  [4, 1.5],
  [5, 2],
  // Fourteen rounds of four calls.
  [55, 8],
  // The 56th waits until the first is a minute old.
  [56, 61.5],
  // The 111th waits until the 56th is a minute old.
  [111, 121.5],
])('a pull of %d calls takes %d s with its own work', (calls, seconds) => {
  expect(timeOfPull(cost(calls), RULES)).toBeCloseTo(seconds);
});

test.each([
  [58, 0],
  [59, 60],
  [116, 60],
  [200, 180],
])('with nothing to wait for but 58 calls in any minute, %d calls take %d s', (calls, seconds) => {
  const rules = { callsPerMinute: 58, callsAtOnce: Number.POSITIVE_INFINITY, call_s: 0 };
  expect(timeOfPull({ calls, pull_s: 0, render_s: 0 }, rules)).toBe(seconds);
});

test('one worker pulls month after month and renders each before the next', () => {
  expect(simulateMonthEnd([cost(1), cost(1), cost(1)], 1, RULES)).toEqual([1.5, 5, 8.5]);
});

test('a free worker takes the next month, so a long pull occupies only its own worker', () => {
  expect(simulateMonthEnd([cost(56), cost(1), cost(1)], 2, RULES)).toEqual([61.5, 1.5, 5]);
});
