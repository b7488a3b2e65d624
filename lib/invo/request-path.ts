import { RECORD_ID, SUBSCRIPTION_ID } from '#lib/core/typed-input.ts';

/** A subscription id as a path carries it. Throws an Error for one that would lead to another route. */
export function subscriptionSegment(subscriptionId: string): string {
  if (!SUBSCRIPTION_ID.test(subscriptionId)) throw new Error(`not a subscription id: ${subscriptionId}`);
  return encodeURIComponent(subscriptionId);
}

/** A transaction id as a path carries it. Throws an Error for one that would lead to another route. */
export function recordSegment(id: string): string {
  if (!RECORD_ID.test(id)) throw new Error('not an id');
  return encodeURIComponent(id);
}

/** The id of a reward as a path carries it: a UUID (document 1, Vault item). Throws an Error for any other text. */
export function vaultEntrySegment(id: string): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw new Error('not the id of a reward');
  return id;
}

/** A period id as a path carries it. Throws an Error for what is no id. */
export function periodSegment(periodId: number): string {
  if (!Number.isSafeInteger(periodId) || periodId < 0) throw new Error(`not a period id: ${periodId}`);
  return String(periodId);
}

/** A trimmed email that Invo can be searched by. Throws an Error that does not repeat any other text. */
export function requireEmail(text: string): string {
  if (!isSearchableEmail(text)) throw new Error('not an email');
  return text.trim();
}

/** Whether Invo can be searched by a text as an email. */
export function isSearchableEmail(text: string): boolean {
  const email = text.trim();
  return email.length <= 1_000 && email.isWellFormed() && /^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u.test(email);
}

/** A phone number that Invo can be searched by (document 3, Limits). Throws an Error that does not repeat it. */
export function requirePhone(text: string): string {
  if (!/^\+\d{10,15}$/.test(text)) throw new Error('not a phone number');
  return text;
}

/** A query string with its question mark; empty for an empty query. */
export function queryText(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Values of a query; those that are undefined are left out. */
export type Query = Record<string, string | number | undefined>;

/** The path of Invo's attribution reports. */
export const REPORTING_PATH = '/api/subscriptions/reporting';
