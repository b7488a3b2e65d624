/** Every subscription id that a path may carry, ours or Invo's. Dots alone would lead to another path. */
export const SUBSCRIPTION_ID = /^(?!\.+$)[\w.-]{1,50}$/;

/** Parses a subscription id from one of our paths; null when it is none. */
export function parseSubscriptionId(text: string): string | null {
  return SUBSCRIPTION_ID.test(text) ? text : null;
}

/** Every order id, transaction id and reference that a path may carry. */
export const RECORD_ID = /^(?!\.+$)[\w.:-]{1,100}$/;

/** Parses such an id from one of our paths; null when it is none. */
export function parseRecordId(text: string): string | null {
  return RECORD_ID.test(text) ? text : null;
}

/** Parses a player or period id from one of our paths; null when it is none. */
export function parseNumericId(text: string): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}
