import { type Compared, compareField, isSameAmount } from '#lib/core/comparison.ts';
import { compareMoney, signOfMoney } from '#lib/core/money.ts';
import { parseTypedUsd, type TypedTrouble, wholeCentsOf } from '#lib/core/parse-typed-usd.ts';
import { isSubscriptionEnded, type StagedPrice, stagedPriceOf } from './subscription.ts';

/** What a change of price rests on. */
export interface PricedFacts {
  status: string | null;
  cancel_at_period_end: boolean | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
  funding_rail: string | null;
}

/**
 * What a new price will do. `nothing`: it is the price now and none is staged. `clears`: it takes back the staged one.
 * `refused`: an increase where the store would have to ask the player. `stages`: it waits, and `applies` says whether it ever can.
 */
export type PricePreview =
  | { kind: 'nothing' }
  | { kind: 'clears'; staged: string }
  | { kind: 'refused' }
  | { kind: 'stages'; applies: StagedPrice; replaces: string | null };

export type PriceError = TypedTrouble | 'not_above_zero' | 'not_whole_cents';

/** Reads a new price in USD that a person typed: above zero, in whole cents unless it is the price now; else what is wrong with it. */
export function parseNewPrice(text: string, current: string): { amount_usd: string } | { trouble: PriceError } {
  const read = parseTypedUsd(text);
  if ('trouble' in read) return read;
  if (signOfMoney(read.typed_usd) <= 0) return { trouble: 'not_above_zero' };
  if (compareMoney(read.typed_usd, current) === 0) return { amount_usd: current };
  const amount_usd = wholeCentsOf(read.typed_usd);
  return amount_usd === null ? { trouble: 'not_whole_cents' } : { amount_usd };
}

/** Foresees a new price (document 2, Amount body). What the player last agreed to is not told by Invo; the price now stands for it. */
export function previewPrice(facts: PricedFacts & { amount_usd: string }, amount_usd: string): PricePreview {
  const { amount_usd: current, pending_amount_usd: staged, funding_rail } = facts;
  const applies = stagedPriceOf({ ...facts, pending_amount_usd: amount_usd }) ?? 'applies';
  const order = compareMoney(amount_usd, current);
  if (order === 0) return staged === null ? { kind: 'nothing' } : { kind: 'clears', staged };
  if (order > 0 && funding_rail === 'pcstore') return { kind: 'refused' };
  return { kind: 'stages', applies, replaces: staged };
}

/** Why a price cannot be changed at all. */
export type PriceBlocker = 'ended' | 'price_unknown';

/** What stands in the way of any change of price; null: nothing. */
export function findPriceBlocker({ status, amount_usd }: PricedFacts): PriceBlocker | null {
  if (isSubscriptionEnded(status)) return 'ended';
  return amount_usd === null ? 'price_unknown' : null;
}

/** What Invo answered a change of price (document 2, Amount body). */
export interface PriceAnswer {
  old_amount_usd: string | null;
  new_amount_usd: string | null;
  pending_amount_usd: string | null;
  change_queued: boolean | null;
  prorated: boolean | null;
}

export type PriceField = 'old_amount_usd' | 'new_amount_usd' | 'pending_amount_usd' | 'change_queued' | 'prorated';

/** Sets what Invo answered beside what was foreseen; when it applies is only ever as answered. */
export function comparePrice(
  forecast: Extract<PricePreview, { kind: 'stages' | 'clears' | 'nothing' }>,
  asked: { current: string; amount_usd: string },
  answer: PriceAnswer,
): Compared<PriceField>[] {
  const isStaged = forecast.kind === 'stages';
  const rules = { isSame: isSameAmount };
  return [
    compareField('old_amount_usd', asked.current, answer.old_amount_usd, rules),
    compareField('new_amount_usd', asked.amount_usd, answer.new_amount_usd, rules),
    compareField('pending_amount_usd', isStaged ? asked.amount_usd : null, answer.pending_amount_usd, { ...rules, isNullKnown: true }),
    compareField('change_queued', isStaged, answer.change_queued),
    compareField('prorated', false, answer.prorated),
  ];
}
