import { expect, test } from 'vitest';
import { describeAccess } from './describe-access.ts';

const NOW = '2026-11-21T12:00:00Z';
const OCTOBER = '2026-10-01T00:00:00Z';
const NOVEMBER = '2026-11-01T00:00:00Z';
const DECEMBER = '2026-12-01T00:00:00Z';
const JANUARY = '2027-01-01T00:00:00Z';

test.each<[string | null, string | null, string]>([
  [DECEMBER, DECEMBER, 'stays until 1 Dec 2026 00:00 UTC'],
  [DECEMBER, NOVEMBER, 'ends at once (it was paid through 1 Dec 2026 00:00 UTC; what is left reaches to 1 Nov 2026 00:00 UTC)'],
  [DECEMBER, null, 'ends at once (it was paid through 1 Dec 2026 00:00 UTC; nothing paid is left)'],
  [JANUARY, DECEMBER, 'ends on 1 Dec 2026 00:00 UTC, no longer on 1 Jan 2027 00:00 UTC'],
  [NOVEMBER, NOVEMBER, 'has ended already, on 1 Nov 2026 00:00 UTC'],
  [NOVEMBER, OCTOBER, 'has ended already, on 1 Nov 2026 00:00 UTC'],
  [NOW, null, 'has ended already, on 21 Nov 2026 12:00 UTC'],
  [null, null, 'none to begin with: nothing is paid for'],
])('access through %s, and %s after the refund: %s', (until_before, until_after, said) => {
  expect(describeAccess({ until_before, until_after }, NOW)).toBe(said);
});
