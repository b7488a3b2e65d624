import { expect, test } from 'vitest';
import { isSilent, rotationOf } from './delivery.ts';

const NOW = '2026-11-22T12:00:00Z';

test.each([
  ['2026-11-21T04:47:30Z', false],
  ['2026-11-21T04:47:29Z', true],
  ['2026-10-01T00:00:00Z', true],
])('with %s as the last delivery, nothing was received recently: %s', (last, silent) => {
  expect(isSilent(last, NOW)).toBe(silent);
});

test.each([
  [null, 'unseen'],
  [NOW, 'going_on'],
  ['2026-11-15T12:00:00Z', 'going_on'],
  ['2026-11-15T11:59:59Z', 'over'],
])('with %s as the last use of the previous secret, its rotation is %s', (usedAt, rotation) => {
  expect(rotationOf(usedAt, NOW)).toBe(rotation);
});
