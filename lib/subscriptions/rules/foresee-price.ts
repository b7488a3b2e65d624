import { compareMoney } from '#lib/core/money.ts';
import { parseTypedAmount, type TypedTrouble } from '#lib/core/typed-amount.ts';
import { isSubscriptionEnded, type StagedPrice, stagedPriceOf } from './subscription-status.ts';

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
export type PriceForecast =
  | { kind: 'nothing' }
  | { kind: 'clears'; staged: string }
  | { kind: 'refused' }
  | { kind: 'stages'; applies: StagedPrice; replaces: string | null };

export type PriceTrouble = Exclude<TypedTrouble, 'more_than_left'>;

/** Reads a new price in USD that a person typed: above zero, in whole cents unless it is the price now; else what is wrong with it. */
export function parseNewPrice(text: string, current: string): { amount_usd: string } | { trouble: PriceTrouble } {
  return parseTypedAmount(text, { known_usd: current });
}

/** Foresees a new price (document 2, Amount body). What the player last agreed to is not told by Invo; the price now stands for it. */
export function foreseePrice(facts: PricedFacts & { amount_usd: string }, amount_usd: string): PriceForecast {
  const { amount_usd: current, pending_amount_usd: staged, funding_rail } = facts;
  const applies = stagedPriceOf({ ...facts, pending_amount_usd: amount_usd }) ?? 'applies';
  const order = compareMoney(amount_usd, current);
  if (order === 0) return staged === null ? { kind: 'nothing' } : { kind: 'clears', staged };
  if (order > 0 && funding_rail === 'pcstore') return { kind: 'refused' };
  return { kind: 'stages', applies, replaces: staged };
}

/** Why a price cannot be changed at all. */
export type PriceHindrance = 'ended' | 'price_unknown';

/** What stands in the way of any change of price; null: nothing. */
export function findPriceHindrance({ status, amount_usd }: PricedFacts): PriceHindrance | null {
  if (isSubscriptionEnded(status)) return 'ended';
  return amount_usd === null ? 'price_unknown' : null;
}
