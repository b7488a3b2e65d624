import { compareMoney } from '#lib/core/money.ts';
import type { CancelTime } from './cancel.ts';
import { isSubscriptionEnded } from './subscription.ts';

/** A change that was sent and whose outcome is unknown. */
export type RequestedChange =
  | { what: 'cancel'; when: CancelTime }
  | { what: 'price'; amount_usd: string; isClearing: boolean }
  | { what: 'card'; isConversion: boolean };

/** `there`: the subscription shows the change. `not_there`: not yet. `cannot_tell`: Invo doesn't report which card is attached. */
export type ChangeVerdict = 'there' | 'not_there' | 'cannot_tell';

/** The part of a subscription that shows whether a change was made. */
export interface ReadFacts {
  status: string | null;
  amount_usd: string | null;
  pending_amount_usd: string | null;
  cancel_at_period_end: boolean | null;
  wallet_only: boolean | null;
}

/** Decides from a new reading whether a change of unknown outcome was made. */
export function verifyChange(requested: RequestedChange, facts: ReadFacts): ChangeVerdict {
  switch (requested.what) {
    case 'cancel':
      return isSubscriptionEnded(facts.status) || (requested.when === 'period_end' && facts.cancel_at_period_end === true)
        ? 'there'
        : 'not_there';
    case 'price':
      return isPriced(requested, facts) ? 'there' : 'not_there';
    case 'card':
      return requested.isConversion ? (facts.wallet_only === false ? 'there' : 'not_there') : 'cannot_tell';
  }
}

function isPriced({ amount_usd, isClearing }: { amount_usd: string; isClearing: boolean }, facts: ReadFacts): boolean {
  if (isClearing) return facts.pending_amount_usd === null;
  return [facts.pending_amount_usd, facts.amount_usd].some((each) => each !== null && compareMoney(each, amount_usd) === 0);
}
