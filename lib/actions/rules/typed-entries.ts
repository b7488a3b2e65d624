// What people type into the forms of desk actions: the browser checks it at its field, and each kind again.

/** Parses a typed number as Invo takes it (document 3, Limits): a plus, then 10 to 15 digits; spaces and the signs of groups are left out. Null for anything else. */
export function parsePhone(typed: string): string | null {
  const phone = typed.trim().replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{9,14}$/.test(phone) ? phone : null;
}

/** A token, a code or the ID of a set-up. A card number is never one: twelve digits in a row are refused. A client secret is refused where it is typed. */
export const SECRET_ENTRY = /^(?!.*\d{12})[\w.:-]{1,255}$/;
export const SET_UP_ID = /^(?!.*\d{12})[\w.:-]{1,200}$/;
export const ITEM_ID = /^(?!.*\d{12})[\w.:-]{1,100}$/;
/** The name of an item, without an email and a long number. */
export const ITEM_NAME = /^(?!.*[\p{Cc}@])(?!.*\d{7})\S(.{0,98}\S)?$/u;

/** A number with as many digits as JSON numbers carry exactly. */
export const EVENT_NUMBER = /^-?(0|[1-9]\d{0,11})(\.\d{1,3})?$/;
/** The value of an event, a number or a word. */
export const EVENT_VALUE = /^(?!.*\d{12})[\w.:-]{1,100}$/;

/** What a field for a time in UTC has, as an instant to the second. */
export function utcOf(text: string): string {
  return `${/T\d\d:\d\d$/.test(text) ? `${text}:00` : text}Z`;
}

/** How far ahead of the clock an instant may be that people typed: clocks differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** How long ago something may have happened that is reported now. */
const REPORTED_FOR_MS = 30 * 24 * 3_600_000;

/** Whether an instant that people typed lies too far from when its form was sent; null: it doesn't. */
export function misplacedTime(occurredAt: string, readAt: string): 'time_ahead' | 'time_too_old' | null {
  const age = Date.parse(readAt) - Date.parse(occurredAt);
  if (age < -CLOCKS_DIFFER_MS) return 'time_ahead';
  return age > REPORTED_FOR_MS ? 'time_too_old' : null;
}
