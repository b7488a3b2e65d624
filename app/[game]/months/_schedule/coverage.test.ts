import { expect, test } from 'vitest';
import type { MonthRow } from '../load-month.ts';
import { formatSpans, summarizeCoverage } from './coverage.tsx';
import { formatEstimate } from './schedule-forms.tsx';

type Status = 'complete' | 'open' | 'inconsistent' | null;

function row(month: string, status: Status, more: Partial<MonthRow> = {}): MonthRow {
  const snapshot = status === null ? null : { status, createdAt: `${month}-28T00:00:00Z` };
  return { month, snapshot, recheck: null, pull: null, state: 'reconciled', ...more } as MonthRow;
}

test('months are reconciled, provisional or missing; one that doesn’t reconcile is missing, and one that hasn’t started is none', () => {
  const summary = summarizeCoverage([
    row('2026-07', 'complete'),
    row('2026-08', 'inconsistent'),
    row('2026-09', null),
    row('2026-10', 'complete'),
    row('2026-11', 'open'),
    row('2026-12', null, { state: 'not_started' }),
  ]);
  expect([summary.reconciled, summary.provisional.map(({ month }) => month), summary.missing]).toEqual([
    ['2026-07', '2026-10'],
    ['2026-11'],
    ['2026-08', '2026-09'],
  ]);
});

test('freshness is the oldest comparison of the last three complete months, re-checks included', () => {
  const recheck = { checkedAt: '2026-11-20T00:00:00Z', isEqual: true, callCount: 1 };
  const rows = ['2026-06', '2026-07', '2026-08', '2026-09'].map((month) => row(month, 'complete'));
  expect(summarizeCoverage(rows).comparedAt).toBe('2026-07-28T00:00:00Z');
  const rechecked = rows.map((each) => (each.month < '2026-09' ? { ...each, recheck } : each));
  expect(summarizeCoverage(rechecked).comparedAt).toBe('2026-09-28T00:00:00Z');
  expect(summarizeCoverage([row('2026-11', 'open')]).comparedAt).toBeNull();
});

test('adjoining months are one span', () => {
  expect(formatSpans(['2025-11', '2025-12', '2026-01', '2026-03'])).toBe('Nov 2025 to Jan 2026, Mar 2026');
  expect(formatSpans([])).toBe('');
});

test('an estimate names the calls, the time and what it goes by', () => {
  expect(formatEstimate({ months: 13, calls: 26, minutes: 1, basedOn: '2026-10', recipientCount: 160 })).toMatch(
    /^About 26 calls and 1 minute, going by October 2026 with 160 recipients\./,
  );
});
