import { type Compared, compareField, isSameMoment } from '#lib/core/comparison.ts';
import { laterOf } from '#lib/core/instant.ts';
import { isPaidAhead, isSubscriptionEnded, type SubscriptionFacts } from './subscription.ts';

/** When a cancel is meant to end the subscription. */
export const CANCEL_TIMES = ['period_end', 'now'] as const;
export type CancelTime = (typeof CANCEL_TIMES)[number];

/**
 * What a cancel will do. `already_ended`: nothing. `at_paid_through`: it ends, and access with it, when what is paid for ends.
 * `at_once`: it ends now; access lasts as long as what is paid, else it ends now as well. `why` is `asked` when now was chosen.
 */
export type CancelPreview =
  | { kind: 'already_ended'; finalStatus: string }
  | { kind: 'at_paid_through'; accessUntil: string; isAlreadySo: boolean }
  | { kind: 'at_once'; why: 'asked' | 'nothing_paid' | 'paid_elapsed'; accessUntil: string };

/** Foresees a cancel from the subscription as it stands (document 2, States and transitions). */
export function previewCancel(facts: SubscriptionFacts, when: CancelTime, now: string): CancelPreview {
  const { status, paid_through, cancel_at_period_end } = facts;
  if (status !== null && isSubscriptionEnded(status)) return { kind: 'already_ended', finalStatus: status };
  if (when === 'now') return { kind: 'at_once', why: 'asked', accessUntil: laterOf(paid_through ?? now, now) };
  if (paid_through !== null && isPaidAhead(facts, now))
    return { kind: 'at_paid_through', accessUntil: paid_through, isAlreadySo: cancel_at_period_end === true };
  return { kind: 'at_once', why: paid_through === null ? 'nothing_paid' : 'paid_elapsed', accessUntil: now };
}

/** What Invo answered a cancel (document 2, Cancel body). */
export interface CancelAnswer {
  already_canceled: boolean | null;
  cancel_at_period_end: boolean | null;
  effective_at: string | null;
  access_until: string | null;
  paid_through: string | null;
  terminated_immediately: boolean | null;
}

export type CancelField = 'access_until' | 'effective_at' | 'paid_through' | 'cancel_at_period_end' | 'terminated_immediately';

/** Sets what Invo answered beside what was foreseen. What ends at once is compared within a quarter of an hour. */
export function compareCancel(
  forecast: Exclude<CancelPreview, { kind: 'already_ended' }>,
  before: { paid_through: string | null },
  answer: CancelAnswer,
  askedAt: string,
): Compared<CancelField>[] {
  const isLater = forecast.kind === 'at_paid_through';
  const isDowngrade = forecast.kind === 'at_once' && forecast.why !== 'asked';
  const rules = { isSame: isSameMoment };
  return [
    compareField('access_until', forecast.accessUntil, answer.access_until, rules),
    compareField('effective_at', isLater ? forecast.accessUntil : askedAt, answer.effective_at, rules),
    // Nothing paid before is nothing paid afterwards.
    compareField('paid_through', before.paid_through, answer.paid_through, { ...rules, isNullKnown: before.paid_through === null }),
    compareField('cancel_at_period_end', isLater, answer.cancel_at_period_end),
    // Invo says this only where it holds.
    compareField('terminated_immediately', isDowngrade, answer.terminated_immediately ?? false),
  ];
}
