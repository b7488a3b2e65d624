import { type Compared, compareField, isSameMoment } from '#lib/core/comparison.ts';
import { laterOf } from '#lib/core/instant.ts';
import { isPaidAhead, isSubscriptionEnded, type SubscriptionFacts } from './subscription.ts';

/** When a cancellation ends the subscription. */
export const CANCEL_TIMES = ['period_end', 'now'] as const;
export type CancelTime = (typeof CANCEL_TIMES)[number];

/**
 * What a cancellation will do. `already_ended`: nothing. `at_paid_through`: subscription and access end with the paid period. `at_once`:
 * the subscription ends now; access lasts until the paid period ends, else it ends now as well. `why` is `requested` when "now" was chosen.
 */
export type CancelPreview =
  | { kind: 'already_ended'; finalStatus: string }
  | { kind: 'at_paid_through'; accessUntil: string; isAlreadySet: boolean }
  | { kind: 'at_once'; why: 'requested' | 'nothing_paid' | 'paid_elapsed'; accessUntil: string };

/** Previews a cancellation of the subscription in its current state (document 2, States and transitions). */
export function previewCancel(facts: SubscriptionFacts, when: CancelTime, now: string): CancelPreview {
  const { status, paid_through, cancel_at_period_end } = facts;
  if (status !== null && isSubscriptionEnded(status)) return { kind: 'already_ended', finalStatus: status };
  if (when === 'now') return { kind: 'at_once', why: 'requested', accessUntil: laterOf(paid_through ?? now, now) };
  if (paid_through !== null && isPaidAhead(facts, now))
    return { kind: 'at_paid_through', accessUntil: paid_through, isAlreadySet: cancel_at_period_end === true };
  return { kind: 'at_once', why: paid_through === null ? 'nothing_paid' : 'paid_elapsed', accessUntil: now };
}

/** Invo's answer to a cancellation (document 2, Cancel body). */
export interface CancelAnswer {
  already_canceled: boolean | null;
  cancel_at_period_end: boolean | null;
  effective_at: string | null;
  access_until: string | null;
  paid_through: string | null;
  terminated_immediately: boolean | null;
}

export type CancelField = 'access_until' | 'effective_at' | 'paid_through' | 'cancel_at_period_end' | 'terminated_immediately';

/** Compares Invo's answer with the preview. Instants may differ by up to a quarter of an hour. */
export function compareCancel(
  preview: Exclude<CancelPreview, { kind: 'already_ended' }>,
  before: { paid_through: string | null },
  answer: CancelAnswer,
  requestedAt: string,
): Compared<CancelField>[] {
  const isLater = preview.kind === 'at_paid_through';
  const isDowngrade = preview.kind === 'at_once' && preview.why !== 'requested';
  const rules = { isSame: isSameMoment };
  return [
    compareField('access_until', preview.accessUntil, answer.access_until, rules),
    compareField('effective_at', isLater ? preview.accessUntil : requestedAt, answer.effective_at, rules),
    // A cancellation pays for nothing: what was null stays null.
    compareField('paid_through', before.paid_through, answer.paid_through, { ...rules, isNullKnown: before.paid_through === null }),
    compareField('cancel_at_period_end', isLater, answer.cancel_at_period_end),
    // Invo sends this field only when it is true.
    compareField('terminated_immediately', isDowngrade, answer.terminated_immediately ?? false),
  ];
}
