export const DAY_MS = 86_400_000;

export interface ReadInstant {
  /** The first whole millisecond at or after the instant; window edges compare by it. */
  ceilMs: number;
  /** The instant itself, in nanoseconds. */
  exactNs: bigint;
  /** The instant in UTC with the fraction as given. */
  text: string;
}

const GRAMMAR = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses an ISO 8601 date (midnight UTC) or datetime (UTC without an offset); null for anything else. */
export function readInstant(raw: string): ReadInstant | null {
  const match = GRAMMAR.exec(raw);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? '0')) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = readOffset(match[8]);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(wall).toISOString().startsWith(raw.slice(0, 10)) && hour < 24 && minute < 60 && second < 60;
  if (!isReal || offset === null || year < 1000) return null;
  const fraction = (match[7] ?? '').replace(/0+$/, '');
  const wholeMs = wall - offset;
  const text = `${new Date(wholeMs).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
  const partNs = Number(fraction.padEnd(9, '0'));
  return { ceilMs: wholeMs + Math.ceil(partNs / 1e6), exactNs: BigInt(wholeMs) * 1_000_000n + BigInt(partNs), text };
}

/** Formats an instant as UTC with milliseconds. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Months since year 0: the key of a month's world. */
export function monthOf(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first instant of a month, or of a day and time in it. */
export function inMonth(month: number, day = 1, timeMs = 0): number {
  return Date.UTC(Math.floor(month / 12), month % 12, day) + timeMs;
}

/** YYYYMM of a month as a number; period ids of the demo world start with it. */
export function monthDigits(month: number): number {
  return Math.floor(month / 12) * 100 + (month % 12) + 1;
}

function readOffset(text: string | undefined): number | null {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
