import { formatInstant, formatUtc } from '#app/_ui/figures/format-instant.ts';

/** An instant in words: UTC, and in the game's own zone where that is another. */
export function sayInstant(instant: string, timeZone: string): string {
  const utc = formatUtc(instant);
  return timeZone === 'UTC' ? utc : `${utc} (${formatInstant(instant, timeZone)} ${timeZone})`;
}

/** A statement of Invo's in a word; null was not said. */
export function sayFlag(flag: boolean | null): string {
  if (flag === null) return 'not said';
  return flag ? 'yes' : 'no';
}
