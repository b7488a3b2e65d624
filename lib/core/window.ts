import { compareInstants, fromMicroseconds, toMicroseconds } from './instant.ts';

/** A half-open span of settlement time, `[start, end)`, as UTC instants ending in Z. */
export interface Window {
  start: string;
  end: string;
}

/** The longest window Invo reports on, in days (document 2, limits). */
export const WINDOW_DAYS_MAX = 400;

/** How many years back a window may begin, or a reported day may be. What is earlier is a typing error. */
export const YEARS_BACK_MAX = 10;

/** Whether the inner window lies wholly in the outer one. */
export function containsWindow(outer: Window, inner: Window): boolean {
  return compareInstants(outer.start, inner.start) <= 0 && compareInstants(inner.end, outer.end) <= 0;
}

/** Whether an instant lies in a window; its end does not. */
export function containsInstant(window: Window, instant: string): boolean {
  return compareInstants(window.start, instant) <= 0 && compareInstants(instant, window.end) < 0;
}

/** How long a window is, in microseconds. */
export function windowLength(window: Window): bigint {
  return toMicroseconds(window.end) - toMicroseconds(window.start);
}

/** Until when time is settled: now less the settle lag, cut to the whole minute. Only time before this is pulled. */
export function settledUntil(now: string, settleLag_minutes: number): string {
  const minute = 60_000_000n;
  return fromMicroseconds(((toMicroseconds(now) - BigInt(settleLag_minutes) * minute) / minute) * minute);
}

/** Whether a window has ended and its lag has passed. */
export function isClosed(window: Window, settledUntilInstant: string): boolean {
  return compareInstants(window.end, settledUntilInstant) <= 0;
}
