import { expect, test } from 'vitest';
import type { WindowFacts } from '#lib/evidence/reads/months.ts';
import { MONTH_STATES } from '#lib/evidence/text.ts';
import { MONTH_STATE_TONES, monthStateOf, pullActionOf, reshapeMonths } from './load-month.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const NOTHING: WindowFacts = {
  window: OCTOBER,
  snapshot: null,
  newer: null,
  recheck: null,
  drift: null,
  pull: null,
  run: null,
  readAt: '2026-11-21T12:00:00Z',
};
const AFTER = '2026-11-20T12:00:00Z';
const WITHIN = '2026-10-20T12:00:00Z';
const FAILED = { state: 'failed', failure: { code: 'not_live', sentence: '', errorId: null } } as WindowFacts['pull'];
const REFUSED = { state: 'failed', failure: { code: 'unauthorized', sentence: '', errorId: null } } as WindowFacts['pull'];

interface Changes {
  status?: string;
  failing?: number;
  newer?: boolean;
  isEqual?: boolean;
  pull?: string;
}

function facts({ status, failing = 0, newer, isEqual, pull }: Changes): WindowFacts {
  return {
    ...NOTHING,
    snapshot: status === undefined ? null : ({ status, checkCount: 47, checkOkCount: 47 - failing } as WindowFacts['snapshot']),
    newer: newer ? ({ snapshotId: 2, createdAt: AFTER } as WindowFacts['newer']) : null,
    recheck: isEqual === undefined ? null : { checkedAt: AFTER, isEqual, callCount: 1 },
    pull: pull === undefined ? null : ({ state: pull } as WindowFacts['pull']),
  };
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
  expect(monthStateOf(facts(changes), settledUntil)).toBe(state);
});

test('every state has a tone, and warnings are amber', () => {
  expect(Object.keys(MONTH_STATE_TONES)).toEqual([...MONTH_STATES]);
  expect(MONTH_STATE_TONES.reconciled_with_warnings).toBe('wait');
});

test('a month with two failing warnings is labelled with their number', () => {
  const [row] = reshapeMonths(['2026-10'], [facts({ status: 'complete', failing: 2 })], AFTER);
  expect(row?.label).toBe('Reconciled with 2 warnings');
});

test('a month that doesn’t reconcile is pulled afresh, any other from what is stored', () => {
  expect(pullActionOf({ state: 'not_reconciled', pull: null })).toEqual({ label: 'Pull again', isFresh: true });
  expect(pullActionOf({ state: 'reconciled', pull: null })).toEqual({ label: 'Re-check now', isFresh: false });
});

test('a wrong secret offers no retry, and a game that isn’t live does', () => {
  expect(pullActionOf({ state: 'failed', pull: REFUSED })).toBeNull();
  expect(pullActionOf({ state: 'failed', pull: FAILED })).not.toBeNull();
});

test('nothing can be pulled while a pull is running or before the month starts', () => {
  expect([pullActionOf({ state: 'pulling', pull: null }), pullActionOf({ state: 'not_started', pull: null })]).toEqual([null, null]);
});
