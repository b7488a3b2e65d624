import { expect, it } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');

it.each([
  ['5', undefined, 5_000],
  [null, 7, 7_000],
  [null, '7', 7_000],
  ['5', 7, 7_000],
  ['9', 7, 9_000],
  ['Sun, 01 Mar 2026 00:00:20 GMT', null, 20_000],
  ['Sat, 28 Feb 2026 00:00:00 GMT', null, 1_000],
  ['0', null, 1_000],
  ['-5', null, 1_000],
  ['3600', null, 3_600_000],
  [null, 3600, 3_600_000],
  ['Sun, 01 Mar 2026 06:00:00 GMT', null, 21_600_000],
  ['1000000000', null, 86_400_000],
  [null, null, null],
  ['soon', 'later', null],
  ['2026-03-01', null, null],
  ['1e9', Number.POSITIVE_INFINITY, null],
])('header %j and body %j ask for %j ms', (header, inBody, waitMs) => {
  expect(parseRetryAfter(header, inBody, NOW)).toBe(waitMs);
});
