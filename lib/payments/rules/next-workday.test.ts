import { expect, test } from 'vitest';
import { nextWorkday } from './next-workday.ts';

test.each([
  ['2026-11-18', '2026-11-19'],
  ['2026-11-20', '2026-11-23'],
  ['2026-11-21', '2026-11-23'],
  ['2026-11-22', '2026-11-23'],
  ['2026-12-31', '2027-01-01'],
])('the workday after %s is %s', (day, next) => {
  expect(nextWorkday(day)).toBe(next);
});
