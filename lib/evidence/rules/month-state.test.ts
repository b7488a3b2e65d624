import { expect, test } from 'vitest';
import type { SnapshotStatus } from './evidence.ts';
import { monthStateOf, type StoredMonth } from './month-state.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const AFTER = '2026-11-20T12:00:00Z';
const WITHIN = '2026-10-20T12:00:00Z';

interface Stored {
  status?: SnapshotStatus;
  failing?: number;
  newer?: boolean;
  isEqual?: boolean;
  pull?: string;
}

test.each([
  ['not_pulled', {}, AFTER],
  ['not_started', {}, '2026-10-01T00:00:00Z'],
  ['not_pulled', {}, '2026-10-01T00:01:00Z'],
  ['pulling', { pull: 'queued' }, AFTER],
  ['pulling', { status: 'complete', pull: 'running' }, AFTER],
  ['failed', { pull: 'failed' }, AFTER],
  ['reconciled', { status: 'complete', pull: 'failed' }, AFTER],
  ['open', { status: 'open', pull: 'done' }, WITHIN],
  ['incomplete', { status: 'open', pull: 'done' }, AFTER],
  ['not_reconciled', { status: 'inconsistent', failing: 2 }, AFTER],
  ['reconciled', { status: 'complete' }, AFTER],
  ['reconciled', { status: 'complete', isEqual: true }, AFTER],
  ['reconciled_with_warnings', { status: 'complete', failing: 1 }, AFTER],
  ['reconciled_with_warnings', { status: 'complete', failing: 2, isEqual: true }, AFTER],
  ['differs', { status: 'complete', isEqual: false }, AFTER],
  ['differs', { status: 'complete', failing: 1, newer: true, isEqual: true }, AFTER],
] as const)('a month is %s with %o at %s', (state, changes, settledUntil) => {
  expect(monthStateOf(storedMonth(changes), settledUntil)).toBe(state);
});

function storedMonth({ status, failing = 0, newer, isEqual, pull }: Stored): StoredMonth {
  return {
    window: OCTOBER,
    snapshot: status === undefined ? null : { status, checkCount: 47, checkOkCount: 47 - failing },
    newer: newer ? {} : null,
    recheck: isEqual === undefined ? null : { isEqual },
    pull: pull === undefined ? null : { state: pull },
  };
}
