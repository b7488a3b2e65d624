import { describe, expect, test } from 'vitest';
import { containsInstant, containsWindow, isClosed, settledUntil, windowLength } from './window.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };

test.each([
  ['its very start', '2026-10-01T00:00:00Z', true],
  ['its start, written with a fraction', '2026-10-01T00:00:00.000Z', true],
  ['its last microsecond', '2026-10-31T23:59:59.999999Z', true],
  ['its end', '2026-11-01T00:00:00Z', false],
  ['its end, written with a fraction', '2026-11-01T00:00:00.000000Z', false],
  ['the microsecond before it', '2026-09-30T23:59:59.999999Z', false],
])('a window and %s: %s, %s', (_, instant, isIn) => {
  expect(containsInstant(OCTOBER, instant)).toBe(isIn);
});

test.each([
  ['itself', OCTOBER, true],
  ['its first second', { start: OCTOBER.start, end: '2026-10-01T00:00:01Z' }, true],
  ['its last second', { start: '2026-10-31T23:59:59Z', end: OCTOBER.end }, true],
  ['one that begins too early', { start: '2026-09-30T23:59:59.999Z', end: OCTOBER.end }, false],
  ['one that ends too late', { start: OCTOBER.start, end: '2026-11-01T00:00:00.001Z' }, false],
  ['its neighbour', { start: OCTOBER.end, end: '2026-12-01T00:00:00Z' }, false],
])('a window holds %s: %s', (_, inner, contains) => {
  expect(containsWindow(OCTOBER, inner)).toBe(contains);
});

test('the length of a window is exact to the microsecond', () => {
  expect(windowLength(OCTOBER)).toBe(31n * 86_400_000_000n);
  expect(windowLength({ start: '2026-10-01T00:00:00.000001Z', end: '2026-10-01T00:00:00.5Z' })).toBe(499_999n);
});

describe('settled time', () => {
  test.each([
    ['2026-11-01T00:15:00Z', 15, '2026-11-01T00:00:00Z'],
    ['2026-11-01T00:15:59.999999Z', 15, '2026-11-01T00:00:00Z'],
    ['2026-11-01T00:14:59.999Z', 15, '2026-10-31T23:59:00Z'],
    ['2026-11-01T00:15:00Z', 0, '2026-11-01T00:15:00Z'],
    ['2026-11-01T00:00:00Z', 1440, '2026-10-31T00:00:00Z'],
  ])('at %s with a lag of %i minutes reaches %s', (now, lag, until) => {
    expect(settledUntil(now, lag)).toBe(until);
  });

  test.each([
    ['2026-10-31T23:59:00Z', false],
    ['2026-11-01T00:00:00Z', true],
    ['2026-11-01T00:01:00Z', true],
  ])('a window is closed once time is settled to its end: %s, %s', (until, isOver) => {
    expect(isClosed(OCTOBER, until)).toBe(isOver);
  });
});
