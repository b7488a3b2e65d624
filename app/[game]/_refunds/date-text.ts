import { formatInstant, formatUtc } from '#app/_ui/figures/format.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';

/** The start and the end of a period, in UTC. */
export function formatPeriodDates({ period_start: start, period_end: end }: Pick<PeriodFacts, 'period_start' | 'period_end'>): string {
  if (start === null && end === null) return 'dates not reported';
  if (end === null) return `from ${formatUtc(start ?? '')}, end not reported`;
  return start === null ? `until ${formatUtc(end)}, start not reported` : `${formatInstant(start, 'UTC')} to ${formatUtc(end)}`;
}

/** What a refund does to access, as seen at `now`: a period refunded in full no longer counts toward paid_through (document 2, States). */
export function formatAccess({ until_before: before, until_after: after }: NonNullable<RefundEstimate['access']>, now: string): string {
  if (before === null) return 'None: no paid access';
  if (compareInstants(before, now) <= 0) return `Already ended on ${formatUtc(before)}`;
  if (after === null) return `Ends immediately (was until ${formatUtc(before)}; no paid time remains)`;
  if (compareInstants(after, before) === 0) return `Unchanged, until ${formatUtc(before)}`;
  return compareInstants(after, now) > 0
    ? `Ends on ${formatUtc(after)} instead of ${formatUtc(before)}`
    : `Ends immediately (was until ${formatUtc(before)}; the remaining paid time ended on ${formatUtc(after)})`;
}
