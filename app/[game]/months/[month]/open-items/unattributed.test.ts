import { expect, test } from 'vitest';
import { formatFound } from './unattributed.tsx';

const NAMED = { periodId: 1, renewalCount: 1 };
const PLACED = { periodId: null, renewalCount: 1 };

test.each([
  [1, [NAMED], '1 of 1 is named by a report.'],
  [
    4,
    [NAMED, NAMED, PLACED],
    '2 of 4 are named by a report. 1 is placed in time and not findable by name: no report states its subscription. 1 renewal not found yet.',
  ],
  [
    3,
    [PLACED, { periodId: null, renewalCount: 2 }],
    '0 of 3 are named by a report. 3 are placed in time and not findable by name: no report states their subscriptions.',
  ],
])('of %i renewals %j are found: %s', (count, renewals, text) => {
  expect(formatFound(count, renewals)).toBe(text);
});
