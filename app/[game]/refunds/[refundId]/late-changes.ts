import { describeChanges } from '#app/[game]/_refunds/words/describe-changes.ts';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import type { TimelineEntry } from '#db/refunds/reads/refund-history.ts';

type Looked = Pick<RefundDetail, 'state' | 'lastErrorCode' | 'lastErrorId' | 'facts'>;

/**
 * What is different at Invo from the facts an approval would rest on, while a refund waits for one: there the refund can no longer be
 * done as asked. None where the facts were renewed with the reading. `timeline` runs from the newest.
 */
export function findLateChanges({ state, lastErrorCode, facts }: Looked, timeline: TimelineEntry[]): string[] {
  if (state !== 'awaiting_approval' || lastErrorCode !== 'period_changed') return [];
  const newest = timeline.find((entry) => entry.kind === 'reading');
  return newest === undefined ? [] : describeChanges(facts.period, newest.period);
}

/** The amounts Invo gave beside the code a refund was last met with. */
export function findLastFacts({ lastErrorCode, lastErrorId }: Looked, timeline: TimelineEntry[]): Readonly<Record<string, string>> {
  const attempt = timeline.find((entry) => entry.kind === 'attempt' && entry.errorCode === lastErrorCode && entry.errorId === lastErrorId);
  return attempt?.kind === 'attempt' ? attempt.facts : {};
}
