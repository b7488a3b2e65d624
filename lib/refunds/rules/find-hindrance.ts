import { signOfMoney } from '#lib/core/money.ts';
import { parseTypedAmount, type TypedTrouble } from '#lib/core/typed-amount.ts';
import type { PeriodFacts } from './period-facts.ts';
import { remainingOf } from './remaining-of.ts';

/** Why a period cannot be refunded: where Invo would refuse, we say so before asking. */
export const HINDRANCES = [
  'never_collected',
  'nothing_charged',
  'already_refunded',
  'store_charged',
  'number_unknown',
  'price_unknown',
  'funding_unknown',
  'refunds_unknown',
] as const;
export type Hindrance = (typeof HINDRANCES)[number];

/** Why Invo would refuse any refund of the period (document 2, refund body and refund errors); null when one can be asked for. */
export function findRefundHindrance(period: PeriodFacts): Hindrance | null {
  if (period.paid_at === null || ['pending', 'failed', 'forgiven'].includes(period.status ?? '')) return 'never_collected';
  if (period.amount_usd !== null && signOfMoney(period.amount_usd) <= 0) return 'nothing_charged';
  const remaining = remainingOf(period);
  if (remaining !== null && signOfMoney(remaining) <= 0) return 'already_refunded';
  if (period.status === 'refunded') return 'already_refunded';
  if (period.pcstore_charged_usd !== null && signOfMoney(period.pcstore_charged_usd) > 0) return 'store_charged';
  if (period.rail !== 'card' && period.pcstore_charged_usd === null) return 'funding_unknown';
  if (!period.refunds_told || signOfMoney(period.refunded_to_date_usd) < 0) return 'refunds_unknown';
  if (period.period_seq === null || period.period_seq < 1) return 'number_unknown';
  return remaining === null ? 'price_unknown' : null;
}

/** What can be wrong with the amount a person wants to give back. */
export type AmountTrouble = TypedTrouble;

/**
 * Reads the amount a person typed: whole cents, above zero and at most what is left; what is left may itself be finer than a cent, and
 * may be given back whole.
 */
export function parseRefundAmount(text: string, period: PeriodFacts): { amount_usd: string } | { trouble: AmountTrouble } {
  const remaining = remainingOf(period) ?? '0';
  return parseTypedAmount(text, { known_usd: remaining, max_usd: remaining });
}
