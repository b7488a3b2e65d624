import { expect, test } from 'vitest';
import type { StoredCheck } from '#lib/evidence/reads/snapshots.ts';
import { failingFirst, formatSummary, groupChecks } from './checks.tsx';

const check = (name: string, ok = true, severity: StoredCheck['severity'] = 'hard'): StoredCheck => ({
  name,
  severity,
  ok,
  expected: '1',
  actual: ok ? '1' : '2',
  difference: ok ? null : '1',
  offenders: [],
});

test('checks that don’t match come first, those that block the month before warnings', () => {
  const checks = [check('notice_fixed'), check('gross_is_fee_plus_partner', false, 'warning'), check('lines_sum_to_gross', false)];
  expect(failingFirst(checks).map(({ name }) => name)).toEqual(['lines_sum_to_gross', 'gross_is_fee_plus_partner']);
  expect(formatSummary(checks)).toBe('1 of 3 checks match.');
});

test('checks are listed in groups, and a check that doesn’t match only counts in its group', () => {
  const checks = [check('control_recipient_count'), check('gross_is_fee_plus_partner', false, 'warning'), check('notice_fixed')];
  expect(groupChecks(checks).map(({ group, matching, count }) => [group, matching.length, count])).toEqual([
    ['invo', 1, 2],
    ['parts', 1, 1],
  ]);
});
