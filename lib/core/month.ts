import { Temporal } from 'temporal-polyfill';
import type { Window } from './window.ts';

/** A calendar month as people and URLs write it: YYYY-MM. */
export type Month = string;

/** Parses a month; null for any other text. The year has four digits in every time zone, at both ends of the month. */
export function parseMonth(text: string): Month | null {
  return /^(?!0|9999)\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : null;
}

/** The window of a month cut in a reporting time zone, as UTC instants: from its first instant up to, not including, the next month's. */
export function monthWindow(month: Month, timeZone: string): Window {
  const first = Temporal.PlainYearMonth.from(month);
  return { start: firstInstant(first, timeZone), end: firstInstant(first.add({ months: 1 }), timeZone) };
}

/** The month an instant falls in, in a reporting time zone. */
export function monthOf(instant: string, timeZone: string): Month {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth().toString();
}

/** The month so many months later, or earlier when negative. */
export function addMonths(month: Month, count: number): Month {
  return Temporal.PlainYearMonth.from(month).add({ months: count }).toString();
}

/** The last day of a window in a reporting time zone, as YYYY-MM-DD. Its end is not included. */
export function lastDayOf({ end }: Window, timeZone: string): string {
  return Temporal.Instant.from(end).toZonedDateTimeISO(timeZone).subtract({ nanoseconds: 1 }).toPlainDate().toString();
}

/** The wall-clock time of an instant in a reporting time zone, to the second: `2026-11-04T09:30:00`. */
export function localTimeOf(instant: string, timeZone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'second' });
}

/** All months from the first to the last, both included, in order. */
export function listMonths(first: Month, last: Month): Month[] {
  const months: Month[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** The month a window is exactly, in a reporting time zone; null when it is some other span. */
export function monthOfWindow(window: Window, timeZone: string): Month | null {
  const month = monthOf(window.start, timeZone);
  const own = monthWindow(month, timeZone);
  return own.start === window.start && own.end === window.end ? month : null;
}

/** Whether the runtime knows a time zone by this name. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

function firstInstant(month: Temporal.PlainYearMonth, timeZone: string): string {
  const instant = month.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).toInstant();
  return instant.toString({ smallestUnit: 'second' });
}

/** The first day after a day that is no Saturday and no Sunday. Days are `2026-11-20`. */
export function nextWorkday(day: string): string {
  let next = Temporal.PlainDate.from(day).add({ days: 1 });
  while (next.dayOfWeek > 5) next = next.add({ days: 1 });
  return next.toString();
}

/** Whether a day, `2026-11-05`, is a Saturday or a Sunday; false for a text that is no day. */
export function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}
