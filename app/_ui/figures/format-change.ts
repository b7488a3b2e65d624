import { formatMoney, formatShare, signOfMoney, subtractMoney } from '#lib/core/money.ts';

/** How an amount stands against an earlier one: `+ 3,904.12 (+ 8.8 %)`; without a percentage where the earlier one is not above zero. */
export function formatChange(amount: string, before: string): string {
  const change = subtractMoney(amount, before);
  if (signOfMoney(change) === 0) return 'no change';
  const share = signOfMoney(before) > 0 ? formatShare(change, before) : null;
  return share === null ? signed(formatMoney(change)) : `${signed(formatMoney(change))} (${signed(share)})`;
}

/** The same in one short figure: the percentage where there is one, else the amount. */
export function formatGrowth(amount: string, before: string): string {
  const change = subtractMoney(amount, before);
  if (signOfMoney(change) === 0) return 'no change';
  return signed((signOfMoney(before) > 0 ? formatShare(change, before) : null) ?? formatMoney(change));
}

function signed(text: string): string {
  return text.startsWith('−') ? `− ${text.slice(1)}` : `+ ${text}`;
}
