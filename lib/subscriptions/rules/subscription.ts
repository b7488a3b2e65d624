import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, multiplyMoney, signOfMoney } from '#lib/core/money.ts';

/** What a cancellation, a price change and a card change depend on, with Invo's field names (document 2, Subscription object). */
export interface SubscriptionFacts {
  subscription_id: string;
  player_id: number;
  item_name: string | null;
  status: string | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
  period_seq: number | null;
  current_period_end: string | null;
  next_charge_at: string | null;
  cancel_at_period_end: boolean | null;
  wallet_only: boolean | null;
  has_payment_method: boolean | null;
  funding_rail: string | null;
  pcstore_agreement_status: string | null;
  paid_through: string | null;
}

/** Whether the paid period extends beyond now. */
export function isPaidAhead({ paid_through }: Pick<SubscriptionFacts, 'paid_through'>, now: string): boolean {
  return paid_through !== null && compareInstants(paid_through, now) > 0;
}

/** Whether the subscription is never charged again; Invo then refuses price and card changes (document 2, SUBSCRIPTION_TERMINAL). */
export function isSubscriptionEnded(status: string | null): boolean {
  return status === 'canceled' || status === 'expired';
}

/** Until when the player may use what they bought. This is not the billing period. */
export type Access = { kind: 'never' } | { kind: 'trial' | 'until' | 'ended'; at: string };

/** Derives access from `paid_through`, which is null until a payment succeeds, as in a trial (document 2, Subscription object). */
export function accessOf({ paid_through, trial_end }: { paid_through: string | null; trial_end: string | null }, now: string): Access {
  if (paid_through === null && trial_end !== null && compareInstants(trial_end, now) > 0) return { kind: 'trial', at: trial_end };
  if (paid_through === null) return { kind: 'never' };
  return { kind: compareInstants(paid_through, now) > 0 ? 'until' : 'ended', at: paid_through };
}

// An increase to more than this, in USD, is accepted and may never apply (document 2, Amount body).
const PENDING_PRICE_MAX_USD = '500.00';

export type PendingPrice = 'applies' | 'may_not_apply' | 'never_renews';

/** What decides whether a pending price applies. */
export type PendingPriceFacts = Pick<SubscriptionFacts, 'status' | 'cancel_at_period_end' | 'amount_usd' | 'pending_amount_usd'>;

/**
 * Whether a pending price ever applies (document 2, Amount body): it does at the next successful renewal, so never without one. An
 * increase to more than double the price last agreed to, or above 500.00, never does. Invo doesn't report the price last agreed to: judged
 * by the current price, such an increase may not apply, and nobody can know. Null when no price is pending.
 */
export function pendingPriceOf({ status, cancel_at_period_end, amount_usd, pending_amount_usd }: PendingPriceFacts): PendingPrice | null {
  if (pending_amount_usd === null) return null;
  if (cancel_at_period_end === true || isSubscriptionEnded(status)) return 'never_renews';
  if (amount_usd !== null && compareMoney(pending_amount_usd, amount_usd) <= 0) return 'applies';
  if (compareMoney(pending_amount_usd, PENDING_PRICE_MAX_USD) > 0) return 'may_not_apply';
  return amount_usd !== null && compareMoney(pending_amount_usd, multiplyMoney(amount_usd, 2)) > 0 ? 'may_not_apply' : 'applies';
}

/** Subscriptions of a player per page: Invo's maximum (document 2, Limits). */
export const SUBSCRIPTIONS_PER_PAGE = 100;

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
