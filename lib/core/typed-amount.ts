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

/** An amount with two places; null when it is finer than a cent. */
export function wholeCentsOf(amount: string): string | null {
  const [whole = '0', fraction = ''] = amount.split('.');
  return /[1-9]/.test(fraction.slice(2)) ? null : `${BigInt(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
