import Big from 'big.js';
import { sumMicros, toMicros, writeMicros } from './exact.ts';

// Strict: a JavaScript number is refused wherever an amount is expected. DP only bounds division, which money never needs.
const Exact = Big();
Exact.strict = true;
Exact.NE = -40;
Exact.PE = 40;

const GRAMMAR = /^-?\d{1,30}(\.\d{1,18})?$/;

/** Parses an amount: optional minus, digits, optional point and 1 to 18 digits; anything else is null. Returns the text unchanged. */
export function parseMoney(text: unknown): string | null {
  return typeof text === 'string' && GRAMMAR.test(text) ? text : null;
}

/** Adds amounts exactly; the sum has at least two places and as many as the most precise amount. The sum of nothing is 0.00. */
export function sumMoney(amounts: Iterable<string>): string {
  const { micros, places, others } = sumMicros(amounts);
  if (others.length === 0) return writeMicros(micros, places);
  let sum = new Exact(writeMicros(micros, 6));
  for (const amount of others) sum = sum.plus(amount);
  return sum.toFixed(others.reduce((most, each) => Math.max(most, placesOf(each)), places));
}

/** Subtracts one amount from another, exactly, in the places of the more precise one. */
export function subtractMoney(amount: string, less: string): string {
  const places = Math.max(2, placesOf(amount), placesOf(less));
  const [from, taken] = [toMicros(amount), toMicros(less)];
  if (from !== null && taken !== null) return writeMicros(from - taken, places);
  return new Exact(amount).minus(less).toFixed(places);
}

/** Orders two amounts: below zero, zero or above zero as the first is less, equal or more. 1.5 and 1.50 are equal. */
export function compareMoney(amount: string, other: string): -1 | 0 | 1 {
  const [one, two] = [toMicros(amount), toMicros(other)];
  if (one !== null && two !== null) return one < two ? -1 : one > two ? 1 : 0;
  return new Exact(amount).cmp(other);
}

/** The sign of an amount. */
export function signOfMoney(amount: string): -1 | 0 | 1 {
  return compareMoney(amount, '0');
}

/** The amount with the opposite sign; zero has no minus. */
export function negateMoney(amount: string): string {
  return subtractMoney('0', amount);
}

/** An amount times a whole number, exactly, with at least two places. */
export function multiplyMoney(amount: string, times: number): string {
  return new Exact(amount).times(String(times)).toFixed(Math.max(2, placesOf(amount)));
}

/** An amount in proportion of a part to a whole above zero, rounded half up to whole cents: for an estimate, never for a figure that is kept. */
export function prorateMoney(amount: string, part: string, whole: string): string {
  return new Exact(amount).times(part).div(whole).toFixed(2);
}

/** An amount with two places that is its own normal form already. */
const USUAL = /^(?:0|[1-9]\d{0,29})\.\d\d$/;

/** One text for equal amounts: at least two places, no zeros beyond them, no minus before zero. A stored digest depends on it. */
export function normalizeMoney(amount: string): string {
  if (USUAL.test(amount)) return amount;
  const micros = toMicros(amount);
  const text = micros === null ? writeMoney(sumMoney([amount])) : writeMicros(micros, 6);
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** An amount for a file: the digits as reported, with at least two places. */
export function writeMoney(amount: string): string {
  const places = placesOf(amount);
  if (places >= 2) return amount;
  return places === 1 ? `${amount}0` : `${amount}.00`;
}

/** An amount for a person: thousands separated, true minus, at least two places, never rounded. */
export function formatMoney(amount: string): string {
  const [whole = '0', cents = '00'] = writeMoney(amount).replace('-', '').split('.');
  const minus = signOfMoney(amount) < 0 ? '−' : '';
  return `${minus}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
}

/** An amount of USD in a sentence: `$1,234.50`, `−$1,234.50`; never rounded. */
export function formatUsd(amount: string): string {
  const text = formatMoney(amount);
  return text.startsWith('−') ? `−$${text.slice(1)}` : `$${text}`;
}

/** What share one amount is of another, in percent with one place, for reading only; null when the whole is zero. */
export function formatShare(part: string, whole: string): string | null {
  if (signOfMoney(whole) === 0) return null;
  const share = new Exact(part)
    .times('100')
    .div(whole)
    .toFixed(1)
    .replace(/^-(?=0\.0$)/, '')
    .replace('-', '−');
  return `${share} %`;
}

function placesOf(amount: string): number {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
}
