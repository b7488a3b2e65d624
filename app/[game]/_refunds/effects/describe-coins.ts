import { formatMoney, signOfMoney } from '#lib/core/money.ts';

/** What happens to coins, with the direction in a word; null is not known, never none. */
export function describeCoins(delta: string | null): string {
  if (delta === null) return 'not known';
  const sign = signOfMoney(delta);
  if (sign === 0) return 'None move';
  return sign > 0 ? `+${formatMoney(delta)} coins into the wallet` : `${formatMoney(delta)} coins, out of the wallet`;
}
