export const LOOK_UP_LABELS = {
  email: 'e-mail',
  player: 'player id',
  subscription: 'subscription id',
  period: 'period id',
  transaction: 'transaction id',
  order: 'order id',
  client_request: 'client_request_id',
} as const;
/** What a text can be the name of. Bare digits are a player and a period both; an id of another form may be a transaction, an order or a request. */
export type LookUpKind = keyof typeof LOOK_UP_LABELS;

/** A text somebody looks for, as every id it can be. What it cannot be is null. */
export interface LookUp {
  text: string;
  email: string | null;
  /** A player's or a period's. */
  number: number | null;
  subscriptionId: string | null;
  kinds: LookUpKind[];
}

export type LookUpFault = 'empty' | 'too_long' | 'not_an_email' | 'has_blanks' | 'not_an_id';

export const LOOK_UP_FAULTS: Record<LookUpFault, string> = {
  empty: 'Type or paste an e-mail or any id of Invo: player, subscription, period, transaction, order or client_request_id.',
  too_long: 'This is longer than any id of Invo. Paste the e-mail or the id alone.',
  not_an_email: 'This is not a whole e-mail address. An address looks like name@example.com.',
  has_blanks: 'Look for one thing at a time: an e-mail or an id has no blanks in it. Names cannot be looked up.',
  not_an_id: 'No id of Invo is written like this. Paste the e-mail or the id alone.',
};

const EMAIL = /^[^\s@\p{Cc}]{1,128}@[^\s@\p{Cc}]+$/u;
const SUBSCRIPTION = /^sub_(?=[\w.-]{1,46}$)/i;
const DIGITS = /^\d{1,16}$/;

/** Reads what was typed or pasted into the look-up box, in the forms of document 2; blanks and invisible letters around it do not count. */
export function parseLookUp(typed: string): { ok: true; lookUp: LookUp } | { ok: false; fault: LookUpFault } {
  const text = typed.replaceAll(/^[\s\u200b-\u200f\u2060\ufeff<"'“”]+|[\s\u200b-\u200f\u2060\ufeff>"'“”]+$/g, '').replace(/^mailto:/i, '');
  if (text === '') return { ok: false, fault: 'empty' };
  if (text.length > 255) return { ok: false, fault: 'too_long' };
  if (/\s/.test(text)) return { ok: false, fault: 'has_blanks' };
  if (text.includes('@')) return EMAIL.test(text) && text.length <= 254 ? found(text, { email: text }, ['email']) : fault('not_an_email');
  if (!/^[^\p{Cc}\p{Cs}]+$/u.test(text)) return fault('not_an_id');
  if (SUBSCRIPTION.test(text)) return found(text, { subscriptionId: text.replace(SUBSCRIPTION, 'SUB_') }, ['subscription']);
  const number = DIGITS.test(text) ? Number(text) : null;
  if (number !== null && Number.isSafeInteger(number) && number > 0)
    return found(text, { number }, ['player', 'period', 'transaction', 'order', 'client_request']);
  return found(text, {}, ['transaction', 'order', 'client_request']);
}

/** Every subscription id that a path may carry, ours or Invo's: dots alone would lead elsewhere. */
export const SUBSCRIPTION_ID = /^(?!\.+$)[\w.-]{1,50}$/;

/** A subscription id as an address of ours may carry it, and Invo can be asked for it; null when it is none. */
export function parseSubscriptionId(text: string): string | null {
  return SUBSCRIPTION_ID.test(text) ? text : null;
}

/** A player's or period's id in an address of ours; null when it is none. */
export function parseNumericId(text: string): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function found(text: string, as: Partial<LookUp>, kinds: LookUpKind[]): { ok: true; lookUp: LookUp } {
  return { ok: true, lookUp: { text, email: null, number: null, subscriptionId: null, ...as, kinds } };
}

function fault(fault: LookUpFault): { ok: false; fault: LookUpFault } {
  return { ok: false, fault };
}
