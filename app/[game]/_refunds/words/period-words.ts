import { formatInstant } from '#app/_ui/figures/format-instant.ts';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';

/** From when to when a period gives service. */
export function sayPeriodSpan({ period_start, period_end }: Pick<PeriodFacts, 'period_start' | 'period_end'>): string {
  if (period_start === null && period_end === null) return 'dates not recorded';
  return `${say(period_start)} to ${say(period_end)} UTC`;
}

/** How a period was paid for: card, store and coins apart, what is not recorded left out unless all of it is. */
export function sayCharged({ card_charged_usd: card, pcstore_charged_usd: store, balance_applied_coins: coins }: PeriodFacts): string {
  const parts = [
    ...(card !== null && signOfMoney(card) > 0 ? [`${formatMoney(card)} USD by card`] : []),
    ...(store !== null && signOfMoney(store) > 0 ? [`${formatMoney(store)} USD through the store`] : []),
    ...(coins !== null && signOfMoney(coins) > 0 ? [`${formatMoney(coins)} coins from the wallet`] : []),
  ];
  if (parts.length > 0) return parts.join(' and ');
  return card === null && store === null && coins === null ? 'not recorded' : 'nothing to a card or a store';
}

function say(instant: string | null): string {
  return instant === null ? 'not recorded' : formatInstant(instant, 'UTC');
}
