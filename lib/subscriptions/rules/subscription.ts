import { digestOf } from '#lib/core/canonical-digest.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { compareMoney, multiplyMoney } from '#lib/core/money.ts';

/** What a cancel, a change of price and a change of card rest on, in Invo's words (document 2, Subscription object). */
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

/**
 * SHA-256 in hex over everything a form told of the subscription's future: who sends computes it again, so that nobody confirms one
 * effect and gets another. Time alone changes it when what is paid for runs out.
 */
export function digestFacts(facts: SubscriptionFacts, now: string): string {
  const { subscription_id, status, amount_usd, pending_amount_usd, period_seq, cancel_at_period_end } = facts;
  const { wallet_only, has_payment_method, funding_rail, paid_through } = facts;
  const price = { amount_usd, pending_amount_usd };
  const payer = { wallet_only, has_payment_method, funding_rail };
  const end = { status, period_seq, cancel_at_period_end, paid_through, isPaidAhead: isPaidAhead(facts, now) };
  return digestOf({ subscription_id, price, payer, end }).toString('hex');
}

/** Whether something that was paid for is still to come. */
export function isPaidAhead({ paid_through }: Pick<SubscriptionFacts, 'paid_through'>, now: string): boolean {
  return paid_through !== null && compareInstants(paid_through, now) > 0;
}

export interface SubscriptionStatusText {
  label: string;
  tone: 'good' | 'wait' | 'bad' | 'quiet';
  /** What the next charge is called in this state (document 2: next touch, retry time or challenge deadline). */
  nextCharge: string;
  /** What it means when there is none. */
  noCharge: string;
}

const DUNNING: SubscriptionStatusText = {
  label: 'A charge failed and is being retried',
  tone: 'bad',
  nextCharge: 'Next retry of the failed charge',
  noCharge: 'no retry is planned',
};

/** The statuses the contract names; the words Invo uses for dunning are not shown in it, so the likely ones are here and any other is kept as it came. */
const WORDS: Record<string, SubscriptionStatusText> = {
  active: { label: 'Active', tone: 'good', nextCharge: 'Next charge', noCharge: 'no charge is planned' },
  awaiting_authentication: {
    label: 'Waiting for the bank’s check',
    tone: 'wait',
    nextCharge: 'The player must pass the bank’s check by',
    noCharge: 'no deadline is set',
  },
  pending_pcstore_authorization: {
    label: 'Waiting for the game store to agree',
    tone: 'wait',
    nextCharge: 'Next touch by Invo',
    noCharge: 'none before the game store agrees',
  },
  canceled: { label: 'Canceled', tone: 'quiet', nextCharge: 'Next touch by Invo', noCharge: 'none, it is canceled' },
  expired: { label: 'Expired', tone: 'quiet', nextCharge: 'Next touch by Invo', noCharge: 'none, it expired' },
  retrying: DUNNING,
  dunning: DUNNING,
  past_due: DUNNING,
};

/** How the state of a subscription is told; one this book does not know is shown in Invo's own word. */
export function subscriptionStatusText(status: string | null): SubscriptionStatusText {
  const known = status !== null && Object.hasOwn(WORDS, status) ? WORDS[status] : undefined;
  const label = status === null ? 'State not recorded' : `Invo says “${status}”`;
  return known ?? { label, tone: 'wait', nextCharge: 'Next touch by Invo', noCharge: 'none is set' };
}

/** Whether nothing will ever be charged again: changes of price and card are refused then (document 2, SUBSCRIPTION_TERMINAL). */
export function isSubscriptionEnded(status: string | null): boolean {
  return status === 'canceled' || status === 'expired';
}

/** What is told of the next charge: a label and, where there is none, why. */
export function nextChargeText(status: string | null, willEnd: boolean): { label: string; none: string } {
  const words = subscriptionStatusText(status);
  // The bank's deadline stands whatever was asked for since.
  if (willEnd && !isSubscriptionEnded(status) && status !== 'awaiting_authentication')
    return { label: 'It ends without a further charge', none: 'none, it ends with what is paid' };
  return { label: words.nextCharge, none: words.noCharge };
}

/** Whether the player may use what was sold: the entitlement, which is not the billing window. */
export type Access = { kind: 'never' } | { kind: 'until'; at: string } | { kind: 'ended'; at: string };

/** Reads access off `paid_through`, null until something has been paid (document 2, Subscription object). */
export function accessOf(paid_through: string | null, now: string): Access {
  if (paid_through === null) return { kind: 'never' };
  return { kind: compareInstants(paid_through, now) > 0 ? 'until' : 'ended', at: paid_through };
}

// Above this, in USD, an increase is staged and never applied (document 2, amount body).
const STAGED_PRICE_MAX_USD = '500.00';

export type StagedPrice = 'applies' | 'never_doubled' | 'never_above_limit' | 'never_renews';

/** What decides about a staged price, in Invo's words. */
export interface StagedFacts {
  status: string | null;
  cancel_at_period_end: boolean | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
}

/**
 * Whether a staged price can ever apply (document 2, amount body): it does at the next successful renewal, so never where none comes;
 * an increase to more than double the price last agreed to, or above 500.00, never does. What was agreed to last is not told, so the
 * current price stands for it. Null when nothing is staged.
 */
export function stagedPriceOf({ status, cancel_at_period_end, amount_usd, pending_amount_usd }: StagedFacts): StagedPrice | null {
  if (pending_amount_usd === null) return null;
  if (cancel_at_period_end === true || isSubscriptionEnded(status)) return 'never_renews';
  if (amount_usd !== null && compareMoney(pending_amount_usd, amount_usd) <= 0) return 'applies';
  if (compareMoney(pending_amount_usd, STAGED_PRICE_MAX_USD) > 0) return 'never_above_limit';
  if (amount_usd !== null && compareMoney(pending_amount_usd, multiplyMoney(amount_usd, 2)) > 0) return 'never_doubled';
  return 'applies';
}

export const STAGED_PRICE_TEXT: Record<StagedPrice, string> = {
  applies: 'applies at the next successful renewal, which first bills the current window at the old price',
  never_doubled: 'staged, will never be applied: it is more than double the price agreed to',
  never_above_limit: 'staged, will never be applied: it is above 500.00 USD',
  never_renews: 'staged, will never be applied: the subscription does not renew any more',
};
