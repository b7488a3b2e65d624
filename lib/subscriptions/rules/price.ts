import { type Compared, compareField, isSameAmount } from '#lib/core/comparison.ts';
import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import { parseTypedAmount, type TypedAmountError } from '#lib/core/typed-amount.ts';
import { isSubscriptionEnded, type PendingPrice, pendingPriceOf } from './subscription.ts';

/** What a price change depends on. */
export interface PricedFacts {
  status: string | null;
  cancel_at_period_end: boolean | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
  funding_rail: string | null;
}

/**
 * What a new price will do. `nothing`: it is the current price and none is pending. `clears`: it removes the pending price. `refused`:
 * an increase that needs the player's consent in the store. `pending`: it waits for a renewal, and `applies` shows whether it ever applies.
 */
export type PricePreview =
  | { kind: 'nothing' }
  | { kind: 'clears'; pending: string }
  | { kind: 'refused' }
  | { kind: 'pending'; applies: PendingPrice; replaces: string | null };

export type PriceError = Exclude<TypedAmountError, 'more_than_left'>;

/** Parses a typed price in USD: above zero, and in whole cents unless it is the current price. */
export function parseNewPrice(text: string, current: string): { amount_usd: string } | { error: PriceError } {
  return parseTypedAmount(text, { known_usd: current });
}

/** Previews a new price (document 2, Amount body). Invo doesn't report the price last agreed to, so the current price is used. */
export function previewPrice(facts: PricedFacts & { amount_usd: string }, amount_usd: string): PricePreview {
  const { amount_usd: current, pending_amount_usd: pending, funding_rail } = facts;
  const applies = pendingPriceOf({ ...facts, pending_amount_usd: amount_usd }) ?? 'applies';
  const order = compareMoney(amount_usd, current);
  if (order === 0) return pending === null ? { kind: 'nothing' } : { kind: 'clears', pending };
  if (order > 0 && funding_rail === 'pcstore') return { kind: 'refused' };
  return { kind: 'pending', applies, replaces: pending };
}

/** Why a price can't be changed at all. */
export type PriceBlocker = 'ended' | 'price_unknown';

/** Finds what blocks a price change; null when nothing does. */
export function findPriceBlocker({ status, amount_usd }: PricedFacts): PriceBlocker | null {
  if (isSubscriptionEnded(status)) return 'ended';
  return amount_usd === null ? 'price_unknown' : null;
}

/** Invo's answer to a price change (document 2, Amount body). */
export interface PriceAnswer {
  old_amount_usd: string | null;
  new_amount_usd: string | null;
  pending_amount_usd: string | null;
  change_queued: boolean | null;
  prorated: boolean | null;
}

export type PriceField = 'old_amount_usd' | 'new_amount_usd' | 'pending_amount_usd' | 'change_queued' | 'prorated';

/** Compares Invo's answer with the preview. The date it applies from is taken from the answer alone. */
export function comparePrice(
  preview: Extract<PricePreview, { kind: 'pending' | 'clears' | 'nothing' }>,
  requested: { current: string; amount_usd: string },
  answer: PriceAnswer,
): Compared<PriceField>[] {
  const isPending = preview.kind === 'pending';
  const rules = { isSame: isSameAmount };
  return [
    compareField('old_amount_usd', requested.current, answer.old_amount_usd, rules),
    compareField('new_amount_usd', requested.amount_usd, answer.new_amount_usd, rules),
    compareField('pending_amount_usd', isPending ? requested.amount_usd : null, answer.pending_amount_usd, { ...rules, isNullKnown: true }),
    compareField('change_queued', isPending, answer.change_queued),
    compareField('prorated', false, answer.prorated),
  ];
}
