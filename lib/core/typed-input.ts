import { maskEmail } from './mask-email.ts';
import { compareMoney, signOfMoney } from './money.ts';

/** Why a typed amount is refused. `separators`: one in it can mean thousands as well as cents. `more_than_left`: it is above the maximum. */
export type TypedAmountError = 'not_an_amount' | 'separators' | 'not_above_zero' | 'more_than_left' | 'not_whole_cents';

type TypedAmount<Problem> = { amount_usd: string } | { error: Problem };

// The way Sharebook shows an amount, so that it can be pasted: 1,234.50.
const AS_SHOWN = /^\d{1,3}(,\d{3})+\.\d{2}$/;

/**
 * Parses an amount in USD that a person typed: with a point or a comma before the cents, with or without a dollar sign. Text that can be
 * read in two ways is refused. The amount is above zero, at most `max_usd`, and in whole cents, unless it equals `known_usd`, which is then
 * returned in its own digits: what is left of a period, or a price, can be finer than a cent.
 */
export function parseTypedAmount(text: string, limits: { known_usd: string }): TypedAmount<Exclude<TypedAmountError, 'more_than_left'>>;
/** The same with a maximum: an amount above it is `more_than_left`. */
export function parseTypedAmount(text: string, limits: { known_usd: string; max_usd: string }): TypedAmount<TypedAmountError>;
/** Both of them. */
export function parseTypedAmount(
  text: string,
  { known_usd, max_usd }: { known_usd: string; max_usd?: string },
): TypedAmount<TypedAmountError> {
  const read = parseTypedUsd(text);
  if ('error' in read) return read;
  if (signOfMoney(read.typed_usd) <= 0) return { error: 'not_above_zero' };
  if (max_usd !== undefined && compareMoney(read.typed_usd, max_usd) > 0) return { error: 'more_than_left' };
  if (compareMoney(read.typed_usd, known_usd) === 0) return { amount_usd: known_usd };
  const amount_usd = wholeCentsOf(read.typed_usd);
  return amount_usd === null ? { error: 'not_whole_cents' } : { amount_usd };
}

/** Parses a typed amount of any sign and precision. */
export function parseTypedUsd(text: string): { typed_usd: string } | { error: 'not_an_amount' | 'separators' } {
  const typed = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
  const plain = AS_SHOWN.test(typed) ? typed.replaceAll(',', '') : typed;
  if (!/^-?\d{1,12}(\.\d{1,18})?$/.test(plain)) return { error: /^\d+([.,\s]\d+)+$/.test(typed) ? 'separators' : 'not_an_amount' };
  return { typed_usd: plain };
}

/** An amount with two decimals; null when it is finer than a cent. */
export function wholeCentsOf(amount: string): string | null {
  const [whole = '0', fraction = ''] = amount.split('.');
  return /[1-9]/.test(fraction.slice(2)) ? null : `${BigInt(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}

/** The longest reason of a refund or a cancel that Invo accepts (document 2, Limits). */
export const REASON_LENGTH_MAX = 500;
/** The longest reason for a pause or a rejection. */
export const WHY_LENGTH_MAX = 500;
/** The longest note on the outcome of a refund. */
export const OUTCOME_LENGTH_MAX = 1_000;

/**
 * Text a person typed, as it is stored: trimmed, with characters no text column holds replaced, and each line break as one character, as
 * a browser counts it. Null for a text with nothing to see. Text that is too long is refused, not cut: half a sentence can mean the opposite.
 */
export function parseTypedText(typed: string | null, length_max: number): { text: string | null } | 'too_long' {
  const text = storableText(typed ?? '')
    .replace(/\r\n?/g, '\n')
    .trim();
  return text.length > length_max ? 'too_long' : { text: isBlank(text) ? null : text };
}

/** The same for a text that must be there. */
export function parseTypedNote(
  typed: string,
  length_max: number,
): { ok: true; text: string } | { ok: false; reason: 'missing' | 'too_long' } {
  const parsed = parseTypedText(typed, length_max);
  if (parsed === 'too_long') return { ok: false, reason: 'too_long' };
  return parsed.text === null ? { ok: false, reason: 'missing' } : { ok: true, text: parsed.text };
}

/** Whether a text has nothing to see: spaces of any kind, controls and characters without a shape. */
export function isBlank(text: string): boolean {
  // U+2800 is the Braille cell without a dot.
  return /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** Text with every email in it masked. */
export function maskEmailsIn(text: string): string {
  return text.replace(/[^\s<>()"“”,;:]+@[^\s<>()"“”,;:]+/gu, maskEmail);
}

/**
 * Whether a text has an email, a card number or a phone: seven or more digits, however they are grouped, after a plus sign, or twelve without one; or a
 * number grouped as phones are within a country. A client secret and an address with a token count too.
 */
export function isPrivate(typed: string): boolean {
  // Digits and signs of other widths read as their plain ones.
  const text = typed.normalize('NFKC');
  const digits = (run: string): number => run.replaceAll(/\D/g, '').length;
  const runs = text.match(/\+?\(?\d[\d\s()./*_·\p{Pd}]*\d/gu) ?? [];
  const isNumber = NATIONAL_PHONE.test(text) || runs.some((run) => digits(run) >= (run.startsWith('+') ? 7 : 12));
  return isNumber || maskEmailsIn(text) !== text || isClientSecret(text) || TOKEN_IN_ADDRESS.test(text);
}

/** Whether a text has the client secret of a payment or of a card's set-up, as Invo's card processor writes it. */
export function isClientSecret(text: string): boolean {
  return /(?:pi|seti)_\w+_secret_\w/.test(text);
}

const TOKEN_IN_ADDRESS = /[?&#]\w*(?:token|secret|user_code|claim_code)=/i;

/** With the prefix of a long-distance call, or in the three groups of North America. */
const NATIONAL_PHONE = /(?<!\d)(?:0\d{2,4}[\s/-]+\d(?:[\s-]?\d){5}|\(\d{3}\) ?\d{3}[ .-]?\d{4}|\d{3}([-. ])\d{3}\1\d{4}(?!\d))/;

/** Whether the reference of a ticket has what `isPrivate` finds. After letters, digits are a number of its own, unless they are a card's. */
export function isPrivateReference(text: string): boolean {
  const isNumbered = /^[A-Za-z]{1,10}[-_#]?\d[\w-]*$/.test(text);
  return isNumbered ? isCardNumber(text.replaceAll(/\D/g, '')) || isClientSecret(text) : isPrivate(text);
}

/** By the check digit of ISO/IEC 7812. */
function isCardNumber(digits: string): boolean {
  if (!/^\d{13,19}$/.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Text as a text column can hold it: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return text.includes('\0') || !text.isWellFormed() ? text.toWellFormed().replaceAll('\0', '\uFFFD') : text;
}

/** Whether bytes name one of these emails (given in lower case) anywhere, as it is or escaped as JSON and URLs escape it. */
export function namesEmail(bytes: Uint8Array, emails: readonly string[]): boolean {
  const text = new TextDecoder().decode(bytes);
  const plain = text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/\\(["\\/])/g, '$1');
  const read = plain.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return [plain, read].some((each) => emails.some((email) => namesWhole(each.toLowerCase(), email)));
}

/** Whether a text has an email of its own, and not as a part of a longer one. */
function namesWhole(text: string, email: string): boolean {
  for (let index = text.indexOf(email); index >= 0; index = text.indexOf(email, index + 1))
    if (
      !/[\p{L}\p{N}._%+-]$/u.test(text.slice(0, index)) &&
      !/^[.-]?[\p{L}\p{N}]/u.test(text.slice(index + email.length, index + email.length + 2))
    )
      return true;
  return false;
}

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

/** Parses an id, of ours or Invo's, as an address or a form has it; null when it is none. Its columns are `bigint`. */
export function parseNumericId(text: string): number | null {
  return parseWhole(text, Number.MAX_SAFE_INTEGER);
}

/** The highest number that an `integer` column holds. */
export const INTEGER_MAX = 2_147_483_647;

/** Parses a number of ours that counts from 1, of a file, a report or a row; null when it is none. Its columns are `integer`. */
export function parseOrdinal(text: string): number | null {
  return parseWhole(text, INTEGER_MAX);
}

function parseWhole(text: string, highest: number): number | null {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return number <= highest ? number : null;
}
