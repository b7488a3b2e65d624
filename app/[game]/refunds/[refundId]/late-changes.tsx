import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import type { TimelineEntry } from '#db/refunds/reads/refund-history.ts';
import { formatUsd } from '#lib/core/money.ts';
import { formatChanges } from '#lib/refunds/text.ts';

type Looked = Pick<RefundDetail, 'state' | 'lastErrorCode' | 'lastErrorId' | 'facts'>;

/**
 * What changed at Invo since the facts an approval would be based on, while a refund awaits one: it is then no longer possible as
 * requested. None where the facts were renewed with the reading. `timeline` is newest first.
 */
export function findLateChanges({ state, lastErrorCode, facts }: Looked, timeline: TimelineEntry[]): string[] {
  if (state !== 'awaiting_approval' || lastErrorCode !== 'period_changed') return [];
  const newest = timeline.find((entry) => entry.kind === 'reading');
  return newest === undefined ? [] : formatChanges(facts.period, newest.period);
}

/** The amounts Invo gave beside the last error code of a refund. */
export function findLastFacts({ lastErrorCode, lastErrorId }: Looked, timeline: TimelineEntry[]): Readonly<Record<string, string>> {
  const attempt = timeline.find((entry) => entry.kind === 'attempt' && entry.errorCode === lastErrorCode && entry.errorId === lastErrorId);
  return attempt?.kind === 'attempt' ? attempt.facts : {};
}

/** Says that the period changed since the refund was requested; nothing when it did not. */
export function LateChangesNotice({ changes, amount_usd }: { changes: string[]; amount_usd: string }): ReactElement | null {
  if (changes.length === 0) return null;
  return (
    <Notice voice="bad" title="The period changed at Invo after this refund was requested">
      {changes.join(' ')} {formatUsd(amount_usd)} can no longer be refunded as requested.
    </Notice>
  );
}
