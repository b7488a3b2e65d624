const GRAMMAR = /^(?!0000)(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads an ISO 8601 instant and writes it in UTC, ending in Z, with the fraction as reported; null when it is none.
 * A date alone is midnight UTC, a naive time is UTC, an offset is honoured (document 2, attribution reporting). A 60th second is refused, and a year 0, which no database holds.
 */
export function parseInstant(text: unknown): string | null {
  const match = typeof text === 'string' ? GRAMMAR.exec(text) : null;
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction, zone = 'Z'] = match;
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const offset = minutesOf(zone);
  const ms = Date.parse(`${wall}Z`);
  if (offset === null || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== wall) return null;
  const utc = new Date(ms - offset * 60_000).toISOString().slice(0, 19);
  return /^(?!0000)\d{4}-/.test(utc) ? `${utc}${fraction === undefined ? '' : `.${fraction}`}Z` : null;
}

/** Orders two instants written by `parseInstant`, exactly, whatever their fractions: 00:00:00Z and 00:00:00.000Z are the same instant. */
export function compareInstants(instant: string, other: string): -1 | 0 | 1 {
  // Equally long, they have fractions of equal length, and their texts are in order of time.
  const [a, b] = instant.length === other.length ? [instant, other] : [sortable(instant), sortable(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The earlier of two instants. */
export function earlierOf(instant: string, other: string): string {
  return compareInstants(instant, other) <= 0 ? instant : other;
}

/** The later of two instants. */
export function laterOf(instant: string, other: string): string {
  return compareInstants(instant, other) >= 0 ? instant : other;
}

/** How far two timestamps of one moment can be apart: clock difference plus transport time. */
export const CLOCKS_APART_MS = 15 * 60_000;

/** Microseconds since 1970 as an exact integer; a finer fraction is cut off. */
export function toMicroseconds(instant: string): bigint {
  const fraction = /\.(\d+)Z$/.exec(instant)?.[1] ?? '';
  return BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

/** The instant of so many microseconds since 1970, with as short a fraction as it has (none, milliseconds or microseconds). */
export function fromMicroseconds(us: bigint): string {
  const seconds = divideDown(us, 1_000_000n);
  const rest = (us - seconds * 1_000_000n).toString().padStart(6, '0');
  const fraction = rest === '000000' ? '' : rest.endsWith('000') ? `.${rest.slice(0, 3)}` : `.${rest}`;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}

/** Whole units up to a moment, which before 1970 are counted downwards. */
function divideDown(us: bigint, unit: bigint): bigint {
  return us / unit - (us % unit < 0n ? 1n : 0n);
}

function sortable(instant: string): string {
  const seconds = instant.slice(0, 19);
  return `${seconds}.${instant.slice(20, -1).replace(/0+$/, '')}`;
}

function minutesOf(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number.isNaN(total) || Number(minutes) > 59 || total > 18 * 60 ? null : total * (sign === '-' ? -1 : 1);
}

const LONG_MONTHS = 'January February March April May June July August September October November December'.split(' ');
const MONTHS = LONG_MONTHS.map((name) => name.slice(0, 3));

/** The day of an instant: `1 Oct 2026`. */
export function formatDay(instant: string, timeZone: string = 'UTC'): string {
  const { year, month, day } = datePartsOf(instant, timeZone);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** A month: `October 2026`, or `Oct 2026` where space is short. */
export function formatMonth(month: string, length: 'long' | 'short' = 'long'): string {
  const name = (length === 'long' ? LONG_MONTHS : MONTHS)[Number(month.slice(5, 7)) - 1];
  return `${name} ${month.slice(0, 4)}`;
}

type DateParts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;

// Making a formatter takes longer than using it a hundred times, and a table draws hundreds of instants.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** The parts of an instant in a zone. Numbers from the runtime, names from here: the server's and the browser's month names differ ("Sept"). */
export function datePartsOf(instant: string, timeZone: string): DateParts {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) throw new RangeError(`not an instant: ${instant}`);
  if (timeZone === 'UTC') {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }
  const parts: DateParts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of formatOf(timeZone).formatToParts(date)) if (type in parts) parts[type as keyof DateParts] = Number(value);
  return parts;
}
