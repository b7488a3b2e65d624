import { compareMoney, signOfMoney } from '#lib/core/money.ts';

/** The state of a billing period: unpaid states stay apart from paid ones, and a partially refunded period is still billed. */
export const PERIOD_STATES = ['pending', 'failed', 'forgiven', 'never_paid', 'paid', 'partly_refunded', 'refunded'] as const;
export type PeriodState = (typeof PERIOD_STATES)[number];

/** A billing period with Invo's field names: amounts are decimal text, null is not reported. */
export interface BilledPeriod {
  status: string | null;
  paid_at: string | null;
  amount_usd: string | null;
  refunded_amount_usd: string | null;
}

/** Derives the state of a period (document 2, period states). Invo reports a partially refunded period as `paid`, so its refunds decide. */
export function periodStateOf({ status, paid_at, amount_usd, refunded_amount_usd }: BilledPeriod): PeriodState {
  if (status === 'refunded') return 'refunded';
  if (paid_at === null) return status === 'pending' || status === 'failed' || status === 'forgiven' ? status : 'never_paid';
  if (refunded_amount_usd === null || signOfMoney(refunded_amount_usd) <= 0) return 'paid';
  return amount_usd !== null && compareMoney(refunded_amount_usd, amount_usd) >= 0 ? 'refunded' : 'partly_refunded';
}

/** How a period was paid. Coins and dollars are different units and are never added. */
export interface Funding {
  rail: string | null;
  balance_applied_coins: string | null;
  card_charged_usd: string | null;
  pcstore_charged_usd: string | null;
}

/** What paid for a period, such as `card and wallet`; null when nothing did or Invo doesn't report it. */
export function formatFunding(funding: Funding | null, isPaid: boolean): string | null {
  if (funding === null || !isPaid) return null;
  const { card_charged_usd, pcstore_charged_usd, balance_applied_coins } = funding;
  const isAbove = (amount: string | null): boolean => amount !== null && signOfMoney(amount) > 0;
  const sources = [
    ...(isAbove(card_charged_usd) ? ['card'] : []),
    ...(isAbove(pcstore_charged_usd) ? ['game store'] : []),
    ...(isAbove(balance_applied_coins) ? ['wallet'] : []),
  ];
  if (sources.length > 0) return sources.join(' and ');
  return card_charged_usd !== null && pcstore_charged_usd !== null ? 'wallet' : null;
}
