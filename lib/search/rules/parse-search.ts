import { parseRecordId } from '#lib/core/typed-input.ts';
import {
  findBrokenReferences,
  findPaymentReferences,
  hasMistypedReference,
  parsePaymentReference,
} from '#lib/payments/rules/payment-reference.ts';

/** What a text can identify. Digits can be a player or a period; other text can be an order, a transfer, a payment, a request or a webhook delivery. */
export type SearchIdKind =
  | 'email'
  | 'player'
  | 'subscription'
  | 'period'
  | 'transaction'
  | 'order'
  | 'transfer'
  | 'payment_intent'
  | 'client_request'
  | 'idempotency_key'
  | 'event'
  | 'payment';

/** A search text as every id it can be; null where it can't be one. Only what a bank reported contains spaces. */
export interface SearchQuery {
  text: string;
  email: string | null;
  /** A player id or a period id. */
  number: number | null;
  subscriptionId: string | null;
  /** The id of an order or a transfer, by which Invo can look it up; digits alone are looked up as a period first. */
  recordId: string | null;
  /** References of payments, in upper case: the text is one, or a line of a bank that names some. */
  references: string[];
  /** It looks like the reference of a payment, but one letter is wrong. */
  isMistyped: boolean;
  /** The ID that a bank knows a payment file by, in upper case; null: the text names none. */
  messageId: string | null;
  kinds: SearchIdKind[];
}

export type SearchError = 'empty' | 'too_long' | 'not_an_email' | 'not_an_id';

/** What has no form of its own. */
const OTHER_KINDS: SearchIdKind[] = ['transaction', 'order', 'transfer', 'payment_intent', 'client_request', 'idempotency_key', 'event'];

const EMAIL = /^[^\s@\p{Cc}]{1,128}@[^\s@\p{Cc}]+$/u;
const SUBSCRIPTION = /^sub_(?=[\w.-]{1,46}$)/i;
const MESSAGE_ID = /(?<![0-9A-Z])SB[0-9A-F]{8}-\d{1,10}-\d{1,10}(?![0-9A-Z])/i;
const DIGITS = /^\d{1,16}$/;

/** Parses what was typed or pasted into the search box, in the forms of document 2. Spaces and invisible characters around it are ignored. */
export function parseSearch(typed: string): { ok: true; query: SearchQuery } | { ok: false; error: SearchError } {
  const text = typed.replaceAll(/^[\s\u200b-\u200f\u2060\ufeff<"'“”]+|[\s\u200b-\u200f\u2060\ufeff>"'“”]+$/g, '').replace(/^mailto:/i, '');
  if (text === '') return { ok: false, error: 'empty' };
  // A person may read a reference out in groups of letters.
  const joined = text.replaceAll(/\s/g, '');
  const whole = findPaymentReferences(parsePaymentReference(joined) === null ? text : joined);
  const references = whole.length > 0 ? whole : findBrokenReferences(text);
  const isMistyped = references.length === 0 && (hasMistypedReference(text) || hasMistypedReference(joined));
  const messageId = MESSAGE_ID.exec(text)?.[0].toUpperCase() ?? null;
  const first = references[0] ?? messageId;
  // A line of a bank has spaces and more than an ID; its references and the ID of its file are what is searched for.
  if (first !== null && (text.length > 255 || /\s/.test(text))) return queryOf(first, { references, messageId }, ['payment']);
  if (text.length > 255) return { ok: false, error: 'too_long' };
  if (/^[^\p{Cc}\p{Cs}]+$/u.test(text) && /\s/.test(text)) return queryOf(text, { isMistyped }, ['payment']);
  if (text.includes('@'))
    return EMAIL.test(text) && text.length <= 254 ? queryOf(text, { email: text }, ['email']) : { ok: false, error: 'not_an_email' };
  if (!/^[^\p{Cc}\p{Cs}]+$/u.test(text)) return { ok: false, error: 'not_an_id' };
  if (SUBSCRIPTION.test(text)) return queryOf(text, { subscriptionId: text.replace(SUBSCRIPTION, 'SUB_') }, ['subscription']);
  const number = DIGITS.test(text) ? Number(text) : null;
  if (number !== null && Number.isSafeInteger(number) && number > 0) return queryOf(text, { number }, ['player', 'period', ...OTHER_KINDS]);
  return queryOf(
    text,
    { recordId: parseRecordId(text), references, isMistyped, messageId },
    first === null ? OTHER_KINDS : ['payment', ...OTHER_KINDS],
  );
}

const NOTHING = { email: null, number: null, subscriptionId: null, recordId: null, references: [], isMistyped: false, messageId: null };

function queryOf(text: string, ids: Partial<SearchQuery>, kinds: SearchIdKind[]): { ok: true; query: SearchQuery } {
  return {
    ok: true,
    query: { ...NOTHING, text, ...ids, kinds },
  };
}
