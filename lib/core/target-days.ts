import { Temporal } from 'temporal-polyfill';
import { nextWorkday } from './month.ts';

/** The days of each year, beside Good Friday and Easter Monday, on which TARGET is closed. */
const FIXED_DAYS = ['01-01', '05-01', '12-25', '12-26'];

/**
 * Whether a day, `2026-12-25`, is a closing day of TARGET that may be a weekday, on which banks execute no SEPA payments: 1 January, Good Friday, Easter Monday, 1 May,
 * 25 and 26 December (European Central Bank, calendar since 2002). False for a text that is no day.
 */
export function isTargetClosingDay(day: string): boolean {
  const [, year, rest] = /^(\d{4})-(\d\d-\d\d)$/.exec(day) ?? [];
  if (year === undefined || rest === undefined) return false;
  const easter = easterOf(Number(year));
  return FIXED_DAYS.includes(rest) || [easter.subtract({ days: 2 }), easter.add({ days: 1 })].some((each) => each.toString() === day);
}

/** The first day after a day on which banks execute SEPA payments. */
export function nextTargetDay(day: string): string {
  const next = nextWorkday(day);
  return isTargetClosingDay(next) ? nextTargetDay(next) : next;
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): Temporal.PlainDate {
  const [century, rest] = [Math.floor(year / 100), year % 100];
  const golden = year % 19;
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const days = epact + weekday - 7 * correction + 114;
  return Temporal.PlainDate.from({ year, month: Math.floor(days / 31), day: (days % 31) + 1 });
}
