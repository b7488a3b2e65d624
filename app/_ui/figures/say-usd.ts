import { formatMoney } from '#lib/core/money.ts';

/** An amount in words: `1,250.00 USD`; null was not told. */
export function sayUsd(amount: string | null): string {
  return amount === null ? 'not recorded' : `${formatMoney(amount)} USD`;
}
