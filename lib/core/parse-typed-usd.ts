/** What can be wrong with an amount that is typed. `separators`: one in it may mean thousands as well as cents. */
export type TypedTrouble = 'not_an_amount' | 'separators';

// As the book itself shows an amount, so that what it shows can be pasted: 1,234.50.
const AS_SHOWN = /^\d{1,3}(,\d{3})+\.\d{2}$/;

/**
 * Reads an amount in USD that a person typed: with a point or a comma before the cents, a dollar sign before it or none.
 * Anything that can be read in two ways is refused.
 */
export function parseTypedUsd(text: string): { typed_usd: string } | { trouble: TypedTrouble } {
  const typed = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
  const plain = AS_SHOWN.test(typed) ? typed.replaceAll(',', '') : typed;
  if (!/^-?\d{1,12}(\.\d{1,18})?$/.test(plain)) return { trouble: /^\d+([.,\s]\d+)+$/.test(typed) ? 'separators' : 'not_an_amount' };
  return { typed_usd: plain };
}

/** An amount with two places; null when it is finer than a cent. */
export function wholeCentsOf(amount: string): string | null {
  const [whole = '0', fraction = ''] = amount.split('.');
  return /[1-9]/.test(fraction.slice(2)) ? null : `${BigInt(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}`;
}
