import { describe, expect, test } from 'vitest';
import { compareField, type Figure, isSameAmount, isSameMoment } from './comparison.ts';

describe('expected beside reported', () => {
  test.each<[Figure, Figure, boolean | null]>([
    ['full', 'full', true],
    ['full', 'prorata', false],
    [true, true, true],
    [true, false, false],
    ['yes', true, false],
    [null, 'full', null],
    ['full', null, null],
    [null, null, null],
  ])('%j beside %j agrees: %j', (expected, reported, agrees) => {
    expect(compareField('mode', expected, reported)).toEqual({ field: 'mode', expected, reported, agrees });
  });

  test.each<[Figure, Figure, boolean]>([
    [null, null, true],
    [null, '25.00', false],
    ['25.00', null, false],
  ])('where null means none, %j beside %j agrees: %j', (expected, reported, agrees) => {
    expect(compareField('pending', expected, reported, { isNullKnown: true }).agrees).toBe(agrees);
  });
});

test.each([
  ['25.0', '25.00', true],
  ['25.00', '25.01', false],
  ['-0.00', '0', true],
  ['n/a', 'n/a', true],
  ['n/a', '0.00', false],
])('%s and %s are the same amount: %j', (one, other, isSame) => {
  expect([isSameAmount(one, other), isSameAmount(other, one)]).toEqual([isSame, isSame]);
});

test.each([
  ['2026-12-01T00:00:00Z', '2026-12-01T00:15:00.000Z', true],
  ['2026-12-01T00:00:00Z', '2026-12-01T00:15:00.000001Z', false],
  ['2026-12-01T00:00:00.000Z', '2026-12-01T00:00:00Z', true],
])('%s and %s are the same moment: %j', (one, other, isSame) => {
  expect([isSameMoment(one, other), isSameMoment(other, one)]).toEqual([isSame, isSame]);
});
