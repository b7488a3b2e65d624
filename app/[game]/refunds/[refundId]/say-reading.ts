import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';

type Read = Pick<PeriodFacts, 'refunds_told' | 'refunded_to_date_usd' | 'amount_usd' | 'refund_count' | 'events'>;

/** What a reading of a period found of its refunds; no word of Invo's about them is not none. */
export function sayReading({ refunds_told, refunded_to_date_usd, amount_usd, refund_count, events }: Read): string {
  if (!refunds_told) return 'Invo told nothing of refunds.';
  const price = amount_usd === null ? '' : ` of ${formatMoney(amount_usd)}`;
  const count = refund_count ?? events.length;
  // Something refunded, and no refund named: Invo tells the sum alone.
  const refunds = count === 0 && signOfMoney(refunded_to_date_usd) !== 0 ? '' : `, ${count === 1 ? 'one refund' : `${count} refunds`}`;
  return `${formatMoney(refunded_to_date_usd)} USD refunded so far${price}${refunds}.`;
}
