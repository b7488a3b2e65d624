import { expect, test } from 'vitest';
import { isTargetClosingDay, nextTargetDay } from './target-days.ts';

// Good Fridays and Easter Mondays by the almanac: an early Easter (23 March 2008), a late one (25 April 2038), leap years and a turn of the century.
test.each([
  [2008, '03-21', '03-24'],
  [2011, '04-22', '04-25'],
  [2016, '03-25', '03-28'],
  [2024, '03-29', '04-01'],
  [2025, '04-18', '04-21'],
  [2026, '04-03', '04-06'],
  [2027, '03-26', '03-29'],
  [2028, '04-14', '04-17'],
  [2029, '03-30', '04-02'],
  [2030, '04-19', '04-22'],
  [2038, '04-23', '04-26'],
  [2100, '03-26', '03-29'],
])('TARGET is closed in %i on Good Friday, %s, Easter Monday, %s, and the four days of each year', (year, friday, monday) => {
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(year, 0, index + 1)).toISOString().slice(0, 10));
  const closed = ['01-01', friday, monday, '05-01', '12-25', '12-26'].map((day) => `${year}-${day}`);
  expect(days.filter((day) => day.startsWith(`${year}-`) && isTargetClosingDay(day))).toEqual(closed.toSorted());
});

test.each(['', '2026', '25.12.2026', '2026-12-24', '2026-04-05'])('“%s” is no closing day that may be a weekday', (day) => {
  expect(isTargetClosingDay(day)).toBe(false);
});

test.each([
  ['2026-11-20', '2026-11-23'],
  ['2026-12-24', '2026-12-28'],
  ['2026-12-31', '2027-01-04'],
  ['2026-04-02', '2026-04-07'],
  ['2026-04-30', '2026-05-04'],
  ['2028-04-30', '2028-05-02'],
])('the first day after %s on which SEPA payments are executed is %s', (day, next) => {
  expect(nextTargetDay(day)).toBe(next);
});
