import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate.ts';

/** What a refund does to access, as seen at `now`: a period refunded in full no longer counts toward paid_through (document 2, States). */
export function describeAccess({ until_before, until_after }: NonNullable<RefundEstimate['access']>, now: string): string {
  if (until_before === null) return 'none to begin with: nothing is paid for';
  if (compareInstants(until_before, now) <= 0) return `has ended already, on ${formatUtc(until_before)}`;
  if (until_after === null) return `ends at once (it was paid through ${formatUtc(until_before)}; nothing paid is left)`;
  if (compareInstants(until_after, until_before) === 0) return `stays until ${formatUtc(until_before)}`;
  return compareInstants(until_after, now) > 0
    ? `ends on ${formatUtc(until_after)}, no longer on ${formatUtc(until_before)}`
    : `ends at once (it was paid through ${formatUtc(until_before)}; what is left reaches to ${formatUtc(until_after)})`;
}
