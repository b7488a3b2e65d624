import { expect, test } from 'vitest';
import type { WindowFacts } from '#db/evidence/reads/months.ts';
import { MONTH_STATE_WORDS, MONTH_STATES, monthStateOf } from './month-state.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const NOTHING: WindowFacts = { window: OCTOBER, snapshot: null, newer: null, recheck: null, pull: null };
const AFTER = '2026-11-20T12:00:00Z';
const WITHIN = '2026-10-20T12:00:00Z';

function facts(changes: { status?: string; newer?: boolean; isEqual?: boolean; pull?: string }): WindowFacts {
  return {
    ...NOTHING,
    snapshot: changes.status === undefined ? null : ({ status: changes.status } as WindowFacts['snapshot']),
    newer: changes.newer ? { snapshotId: 2, createdAt: AFTER } : null,
    recheck: changes.isEqual === undefined ? null : { checkedAt: AFTER, isEqual: changes.isEqual, callCount: 1 },
    pull: changes.pull === undefined ? null : ({ state: changes.pull } as WindowFacts['pull']),
  };
}

test.each([
  ['never_pulled', {}, AFTER],
  ['not_begun', {}, '2026-10-01T00:00:00Z'],
  ['never_pulled', {}, '2026-10-01T00:01:00Z'],
  ['pulling', { pull: 'queued' }, AFTER],
  ['pulling', { status: 'complete', pull: 'running' }, AFTER],
  ['failed', { pull: 'failed' }, AFTER],
  ['proven', { status: 'complete', pull: 'failed' }, AFTER],
  ['open', { status: 'open', pull: 'done' }, WITHIN],
  ['not_to_its_end', { status: 'open', pull: 'done' }, AFTER],
  ['does_not_tie', { status: 'inconsistent' }, AFTER],
  ['proven', { status: 'complete' }, AFTER],
  ['rechecked', { status: 'complete', isEqual: true }, AFTER],
  ['differs', { status: 'complete', isEqual: false }, AFTER],
  ['differs', { status: 'complete', newer: true, isEqual: true }, AFTER],
] as const)('a month is %s with %o at %s', (state, changes, settledUntil) => {
  expect(monthStateOf(facts(changes), settledUntil)).toBe(state);
});

test('every state has words', () => {
  expect(Object.keys(MONTH_STATE_WORDS)).toEqual([...MONTH_STATES]);
});
