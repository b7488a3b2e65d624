import { expect, test } from 'vitest';
import { foreseeReversal } from './foresee-reversal.ts';

test.each([
  ['2026-11-21T12:00:00Z', 'UTC', '2026-11', null],
  ['2026-11-30T00:00:00Z', 'UTC', '2026-11', { month: '2026-12', from: '2026-12-01T00:00:00Z' }],
  ['2026-11-29T23:59:59Z', 'UTC', '2026-11', null],
  ['2026-12-31T20:00:00Z', 'UTC', '2026-12', { month: '2027-01', from: '2027-01-01T00:00:00Z' }],
  ['2026-11-30T10:00:00Z', 'Pacific/Kiritimati', '2026-12', null],
  ['2026-11-30T09:59:59Z', 'Pacific/Kiritimati', '2026-11', { month: '2026-12', from: '2026-11-30T10:00:00Z' }],
])('carried out at %s, in %s, it is reported in %s, or in %j', (at, timeZone, month, orLater) => {
  expect(foreseeReversal(at, timeZone)).toEqual({ month, orLater });
});
