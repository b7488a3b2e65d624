import { toMicroseconds } from '../instant.ts';
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

/** One line of a receipt: what was expected beside what was answered. `isAsExpected` null: nothing was expected, or nothing was said. */
export interface ReceiptLine<Field extends string> {
  field: Field;
  expected: string | boolean | null;
  answered: string | boolean | null;
  isAsExpected: boolean | null;
}

export type CancelField = 'access_until' | 'effective_at' | 'paid_through' | 'cancel_at_period_end' | 'terminated_immediately';

// Invo's clock and ours may differ, and a request takes its time.
const SAME_MOMENT_US = 15n * 60n * 1_000_000n;

/** Sets what Invo answered beside what was foreseen. What ends at once is compared within a quarter of an hour. */
export function compareCancel(
  forecast: Exclude<CancelForecast, { kind: 'already_ended' }>,
  before: { paid_through: string | null },
  answer: CancelAnswer,
  askedAt: string,
): ReceiptLine<CancelField>[] {
  const isLater = forecast.kind === 'at_paid_through';
  const isDowngrade = forecast.kind === 'at_once' && forecast.why !== 'asked';
  return [
    line('access_until', forecast.accessUntil, answer.access_until),
    line('effective_at', isLater ? forecast.accessUntil : askedAt, answer.effective_at),
    line('paid_through', before.paid_through, answer.paid_through),
    line('cancel_at_period_end', isLater, answer.cancel_at_period_end),
    // Invo says this only where it holds.
    line('terminated_immediately', isDowngrade, answer.terminated_immediately ?? false),
  ];
}

function line(field: CancelField, expected: string | boolean | null, answered: string | boolean | null): ReceiptLine<CancelField> {
  const isKnown = answered !== null || (field === 'paid_through' && expected === null);
  return { field, expected, answered, isAsExpected: isKnown ? isSame(expected, answered) : null };
}

function isSame(expected: string | boolean | null, answered: string | boolean | null): boolean {
  if (typeof expected !== 'string' || typeof answered !== 'string') return expected === answered;
  const apart = toMicroseconds(expected) - toMicroseconds(answered);
  return (apart < 0n ? -apart : apart) <= SAME_MOMENT_US;
}
