import { expect, test } from 'vitest';
import { formatAccess, formatPeriodDates } from './effects.tsx';

const NOW = '2026-11-21T12:00:00Z';
const OCTOBER = '2026-10-01T00:00:00Z';
const NOVEMBER = '2026-11-01T00:00:00Z';
const DECEMBER = '2026-12-01T00:00:00Z';
const JANUARY = '2027-01-01T00:00:00Z';

test.each<[string | null, string | null, string]>([
  [DECEMBER, DECEMBER, 'Unchanged, until 1 Dec 2026 00:00 UTC'],
  [DECEMBER, NOVEMBER, 'Ends immediately (was until 1 Dec 2026 00:00 UTC; the remaining paid time ended on 1 Nov 2026 00:00 UTC)'],
  [DECEMBER, null, 'Ends immediately (was until 1 Dec 2026 00:00 UTC; no paid time remains)'],
  [JANUARY, DECEMBER, 'Ends on 1 Dec 2026 00:00 UTC instead of 1 Jan 2027 00:00 UTC'],
  [NOVEMBER, NOVEMBER, 'Already ended on 1 Nov 2026 00:00 UTC'],
  [NOVEMBER, OCTOBER, 'Already ended on 1 Nov 2026 00:00 UTC'],
  [NOW, null, 'Already ended on 21 Nov 2026 12:00 UTC'],
  [null, null, 'None: no paid access'],
])('access until %s, and %s after the refund, is shown as “%s”', (until_before, until_after, text) => {
  expect(formatAccess({ until_before, until_after }, NOW)).toBe(text);
});

test.each([
  [OCTOBER, NOVEMBER, '1 Oct 2026 00:00 to 1 Nov 2026 00:00 UTC'],
  [OCTOBER, null, 'from 1 Oct 2026 00:00 UTC, end not reported'],
  [null, NOVEMBER, 'until 1 Nov 2026 00:00 UTC, start not reported'],
  [null, null, 'dates not reported'],
])('a period from %s to %s is shown as “%s”', (period_start, period_end, text) => {
  expect(formatPeriodDates({ period_start, period_end })).toBe(text);
});
