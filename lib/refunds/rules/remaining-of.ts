import { subtractMoney } from '#lib/core/money.ts';
import type { PeriodFacts } from './period-facts.ts';

/** USD of the period that can still be given back; null when its price is not recorded. */
export function remainingOf(period: PeriodFacts): string | null {
  return period.amount_usd === null ? null : subtractMoney(period.amount_usd, period.refunded_to_date_usd);
}
