import { expect, test } from 'vitest';
import { tellInstants } from './tell-instants.ts';

test.each([
  ['2026-09-01T00:00:00Z to 2026-10-01T00:00:00Z', '1 Sep 2026 00:00 to 1 Oct 2026 00:00 UTC'],
  ['reading 2026-09-01T00:00 to 2026-10-01T00:00', 'reading 1 Sep 2026 00:00 to 1 Oct 2026 00:00 UTC'],
  [
    'more between 2026-10-17T09:30:00Z and 2026-10-18T00:00:00Z: cutting it',
    'more between 17 Oct 2026 09:30 and 18 Oct 2026 00:00 UTC: cutting it',
  ],
  ['at 2026-10-17T09:30:05Z', 'at 17 Oct 2026 09:30:05 UTC'],
  ['at 2026-10-17T09:30:00.000Z', 'at 17 Oct 2026 09:30 UTC'],
  ['at 2026-10-17T09:30:00.123Z', 'at 2026-10-17T09:30:00.123Z'],
  ['at 2026-10-17T09:30:00.0009Z', 'at 2026-10-17T09:30:00.0009Z'],
  ['period 2026100004', 'period 2026100004'],
])('%s reads %s', (text, read) => {
  expect(tellInstants(text)).toBe(read);
});
