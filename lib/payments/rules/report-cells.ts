import { absoluteMoney, parseMoney, signOfMoney, writeMoney } from '#lib/core/money.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';

/** With a point before the cents: `1,234.50`, `1234.5`, `-120.35`. Thousands are separated by commas or not at all. */
const POINT = /^-?(?:\d{1,12}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;
/** With a comma before the cents: `1.234,50`, `120,35`. */
const COMMA = /^-?(?:\d{1,12}|\d{1,3}(?:[.\u00a0\u202f ]\d{3})+),\d{1,2}$/;
/** `1,234` and `1.234` may be a thousand or little more than one. */
const AMBIGUOUS = /^-?\d{1,3}[.,]\d{3}$/;

/** An amount as a provider writes it, with its sign, as exact decimal text; null: it can't be read without a guess. */
export function parseReportedAmount(cell: string): string | null {
  const text = cell.trim().replace(/^[−–]/, '-').replace(/^\+/, '');
  if (AMBIGUOUS.test(text)) return null;
  const plain = POINT.test(text)
    ? text.replaceAll(',', '')
    : COMMA.test(text)
      ? text.replaceAll(/[.\u00a0\u202f ]/g, '').replace(',', '.')
      : null;
  const amount = parseMoney(plain);
  return amount === null ? null : writeMoney(amount);
}

/** An amount without its sign, and whether money came in. */
export function splitSign(amount: string): { amount: string; isIncoming: boolean } {
  return { amount: absoluteMoney(amount), isIncoming: signOfMoney(amount) > 0 };
}

/** Which of the first two numbers of a date is the day; `ymd`: the year comes first. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd';

/** The order of dates that a person chose, one of `DATE_ORDERS`; null: none was chosen. A stored one that was changed must not stop `verify`, which names it. */
export function toDateOrder(chosen: string | null): DateOrder | null {
  return chosen === null ? null : chosen === 'day_first' ? 'dmy' : 'mdy';
}

/** With two digits each for month and day: `2026-11-1` may be the 15th, cut off. */
const YEAR_FIRST = /^(\d{4})[-/.](\d\d)[-/.](\d\d)(?:[T ].*)?$/;
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].*)?$/;

/**
 * The order of all dates of a report: `mixed` when two of them contradict, `open` when every one could be read both ways and none says which.
 * Cells that are no date don't count.
 */
export function findDateOrder(dates: readonly string[]): DateOrder | 'mixed' | 'open' {
  /** `same`: the day is the number of the month, whatever the order. */
  const found = new Set<DateOrder | 'open' | 'same'>();
  for (const date of dates) {
    const [, first, second] = YEAR_LAST.exec(date.trim()) ?? [];
    if (YEAR_FIRST.test(date.trim())) found.add('ymd');
    else if (first !== undefined && second !== undefined) {
      const isSame = Number(first) === Number(second);
      found.add(Number(first) > 12 ? 'dmy' : Number(second) > 12 ? 'mdy' : isSame ? 'same' : 'open');
    }
  }
  const certain = [...found].filter((order) => order !== 'open' && order !== 'same');
  if (certain.length > 1 || (certain[0] === 'ymd' && (found.has('open') || found.has('same')))) return 'mixed';
  return certain[0] ?? (found.has('open') ? 'open' : found.has('same') ? 'dmy' : 'ymd');
}

/** Whether a cell has a date that begins with the year and ends too early, as the last one of a report that was cut off. */
export function isCutDate(cell: string): boolean {
  return /^\d{4}[-/.][-/.\d]*(?:[T ].*)?$/.test(cell.trim()) && !YEAR_FIRST.test(cell.trim());
}

/** A date as `2026-11-05`; null: there is no such day, or the text is no date of this order. */
export function parseReportedDate(cell: string, order: DateOrder): string | null {
  const text = cell.trim();
  const [, a = '', b = '', c = ''] = (order === 'ymd' ? YEAR_FIRST : YEAR_LAST).exec(text) ?? [];
  if (a === '') return null;
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  return dayOf(year, month, day);
}

/** A day as `2026-11-05`; null: the calendar has none. */
export function dayOf(year: string, month: string, day: string): string | null {
  const date = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const read = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date) ? date : null;
}

const DAY_MS = 86_400_000;

/** The day after a day, `2026-11-05`. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/**
 * Whether a day, `2026-11-05`, can be the date of a payment in a report that was added at an instant: at most ten years before it and one day after it. The newest date
 * decides what is known of a payment, so a mistyped year would decide for decades.
 */
export function isPlausibleDay(day: string, addedAt: string): boolean {
  const added = new Date(Date.parse(addedAt.slice(0, 10)));
  const last = dayAfter(addedAt.slice(0, 10));
  added.setUTCFullYear(added.getUTCFullYear() - YEARS_BACK_MAX);
  return added.toISOString().slice(0, 10) <= day && day <= last;
}

/** A currency of three letters, upper case; null: anything else. */
export function parseCurrency(cell: string): string | null {
  const text = cell.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(text) ? text : null;
}
