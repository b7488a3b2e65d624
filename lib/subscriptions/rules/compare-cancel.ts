import { type Compared, compareField, isSameMoment } from '#lib/core/comparison.ts';
import type { CancelForecast } from './foresee-cancel.ts';

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
  forecast: Exclude<CancelForecast, { kind: 'already_ended' }>,
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
