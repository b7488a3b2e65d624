import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import { parseTypedAmount, type TypedAmountError } from '#lib/core/typed-input.ts';
import { remainingOf } from './period.ts';
import type { PeriodFacts } from './stored.ts';

/** Why a period can't be refunded: cases Invo would refuse are refused before asking. */
export const REFUND_BLOCKERS = [
  'never_collected',
  'nothing_charged',
  'already_refunded',
  'store_charged',
  'number_unknown',
  'price_unknown',
  'funding_unknown',
  'refunds_unknown',
] as const;
export type RefundBlocker = (typeof REFUND_BLOCKERS)[number];

/** Why Invo would refuse any refund of the period (document 2, refund body and refund errors); null when one can be requested. */
export function findRefundBlocker(period: PeriodFacts): RefundBlocker | null {
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

/**
 * Parses a typed refund amount: whole cents, above zero and at most what remains. The remaining amount itself may be finer than a cent and
 * may be refunded whole.
 */
export function parseRefundAmount(text: string, period: PeriodFacts): { amount_usd: string } | { error: TypedAmountError } {
  const remaining = remainingOf(period) ?? '0';
  return parseTypedAmount(text, { known_usd: remaining, max_usd: remaining });
}

/**
 * The USD held against the limits. Against that of one refund: everything refunded of the period including this refund, so that a period refunded in
 * parts counts as one refund. Against that of 24 hours: this refund alone. The amount returned to the card if that is more.
 */
export function limitedAmountsOf(estimate: {
  total_refunded_amount_usd: string;
  refunded_amount_usd: string;
  card_refunded_usd: string | null;
}): { one: string; day: string } {
  const largerOf = (amount: string): string => [amount, estimate.card_refunded_usd ?? amount].toSorted(compareMoney).at(-1) ?? amount;
  return { one: largerOf(estimate.total_refunded_amount_usd), day: largerOf(estimate.refunded_amount_usd) };
}
