import { laterOf } from '#lib/core/instant.ts';
import { isPaidAhead, type SubscriptionFacts } from './subscription-facts.ts';
import { isSubscriptionEnded } from './subscription-status.ts';

/** When a cancel is meant to end the subscription. */
export const CANCEL_TIMES = ['period_end', 'now'] as const;
export type CancelTime = (typeof CANCEL_TIMES)[number];

/**
 * What a cancel will do. `already_ended`: nothing. `at_paid_through`: it ends, and access with it, when what is paid for ends.
 * `at_once`: it ends now; access lasts as long as what is paid, else it ends now as well. `why` is `asked` when now was chosen.
 */
export type CancelForecast =
  | { kind: 'already_ended'; finalStatus: string }
  | { kind: 'at_paid_through'; accessUntil: string; isAlreadySo: boolean }
  | { kind: 'at_once'; why: 'asked' | 'nothing_paid' | 'paid_elapsed'; accessUntil: string };

/** Foresees a cancel from the subscription as it stands (document 2, States and transitions). */
export function foreseeCancel(facts: SubscriptionFacts, when: CancelTime, now: string): CancelForecast {
  const { status, paid_through, cancel_at_period_end } = facts;
  if (status !== null && isSubscriptionEnded(status)) return { kind: 'already_ended', finalStatus: status };
  if (when === 'now') return { kind: 'at_once', why: 'asked', accessUntil: laterOf(paid_through ?? now, now) };
  if (paid_through !== null && isPaidAhead(facts, now))
    return { kind: 'at_paid_through', accessUntil: paid_through, isAlreadySo: cancel_at_period_end === true };
  return { kind: 'at_once', why: paid_through === null ? 'nothing_paid' : 'paid_elapsed', accessUntil: now };
}
