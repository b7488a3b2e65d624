const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LONG_MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

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
