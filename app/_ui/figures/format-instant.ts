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

/** An instant for a person, in one zone and without naming it: `1 Oct 2026 00:00`, with seconds where asked for. */
export function formatInstant(instant: string, timeZone: string, precision: 'minute' | 'second' = 'minute'): string {
  return `${formatDay(instant, timeZone)} ${formatTime(instant, timeZone, precision)}`;
}

/** An instant for a person, in UTC and saying so: `1 Oct 2026 00:00 UTC`. */
export function formatUtc(instant: string, precision: 'minute' | 'second' = 'minute'): string {
  return `${formatInstant(instant, 'UTC', precision)} UTC`;
}

/** The day of an instant: `1 Oct 2026`. */
export function formatDay(instant: string, timeZone: string = 'UTC'): string {
  const { year, month, day } = partsOf(instant, timeZone);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** The time of day of an instant: `14:03:20`. */
export function formatTime(instant: string, timeZone: string, precision: 'minute' | 'second' = 'second'): string {
  const { hour, minute, second } = partsOf(instant, timeZone);
  return [hour, minute, ...(precision === 'second' ? [second] : [])].map((part) => String(part).padStart(2, '0')).join(':');
}

/** A month for a person: `October 2026`, or `Oct 2026` where space is short. */
export function formatMonth(month: string, length: 'long' | 'short' = 'long'): string {
  const name = (length === 'long' ? LONG_MONTHS : MONTHS)[Number(month.slice(5, 7)) - 1];
  return `${name} ${month.slice(0, 4)}`;
}

/** How long ago an instant was, in words; an instant still to come is `just now`, since two clocks may differ a little. */
export function formatAge(instant: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(instant)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  if (minutes < 48 * 60) return `${count(Math.floor(minutes / 60), 'hour')} ago`;
  return `${count(Math.floor(minutes / 1440), 'day')} ago`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

// Numbers from the runtime, names from here: the server's and the browser's month names differ ("Sept").
function partsOf(instant: string, timeZone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of format.formatToParts(new Date(instant)))
    if (type in parts) parts[type as keyof typeof parts] = Number(value);
  return parts;
}
