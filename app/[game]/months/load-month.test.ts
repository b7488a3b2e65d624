import { expect, test } from 'vitest';
import type { WindowFacts } from '#lib/evidence/reads/months.ts';
import { MONTH_STATES } from '#lib/evidence/rules/month-state.ts';
import { MONTH_STATE_TONES, pullActionOf, reshapeMonths } from './load-month.ts';

const NOTHING: WindowFacts = {
  window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
  snapshot: null,
  newer: null,
  recheck: null,
  drift: null,
  pull: null,
  run: null,
  readAt: '2026-11-21T12:00:00Z',
};
const FAILED = { state: 'failed', failure: { code: 'not_live', sentence: '', errorId: null } } as WindowFacts['pull'];
const REFUSED = { state: 'failed', failure: { code: 'unauthorized', sentence: '', errorId: null } } as WindowFacts['pull'];

test('every state has a tone, and warnings are amber', () => {
  expect(Object.keys(MONTH_STATE_TONES)).toEqual([...MONTH_STATES]);
  expect(MONTH_STATE_TONES.reconciled_with_warnings).toBe('wait');
});

test('a month with two failing warnings is labelled with their number', () => {
  const snapshot = { status: 'complete', checkCount: 47, checkOkCount: 45 } as WindowFacts['snapshot'];
  const [row] = reshapeMonths(['2026-10'], [{ ...NOTHING, snapshot }], '2026-11-20T12:00:00Z');
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
