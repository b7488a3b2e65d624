import { expect, test } from 'vitest';
import type { WindowFacts } from '#db/evidence/reads/months/list-months.ts';
import { MONTH_STATE_WORDS, MONTH_STATES, monthStateOf } from './month-state.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const NOTHING: WindowFacts = { window: OCTOBER, snapshot: null, newer: null, recheck: null, pull: null };
const AFTER = '2026-11-20T12:00:00Z';
const WITHIN = '2026-10-20T12:00:00Z';

function facts(changes: { standing?: string; newer?: boolean; isEqual?: boolean; pull?: string }): WindowFacts {
  return {
    ...NOTHING,
    snapshot: changes.standing === undefined ? null : ({ standing: changes.standing } as WindowFacts['snapshot']),
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
  ['pulling', { standing: 'complete', pull: 'running' }, AFTER],
  ['failed', { pull: 'failed' }, AFTER],
  ['proven', { standing: 'complete', pull: 'failed' }, AFTER],
  ['open', { standing: 'open', pull: 'done' }, WITHIN],
  ['not_to_its_end', { standing: 'open', pull: 'done' }, AFTER],
  ['does_not_tie', { standing: 'inconsistent' }, AFTER],
  ['proven', { standing: 'complete' }, AFTER],
  ['rechecked', { standing: 'complete', isEqual: true }, AFTER],
  ['differs', { standing: 'complete', isEqual: false }, AFTER],
  ['differs', { standing: 'complete', newer: true, isEqual: true }, AFTER],
] as const)('a month is %s with %o at %s', (state, changes, settledUntil) => {
  expect(monthStateOf(facts(changes), settledUntil)).toBe(state);
});

test('every state has words', () => {
  expect(Object.keys(MONTH_STATE_WORDS)).toEqual([...MONTH_STATES]);
});
