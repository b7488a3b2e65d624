import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { formatChanges } from '#lib/refunds/text.ts';

type Looked = Pick<RefundDetail, 'state' | 'lastErrorCode' | 'facts'>;

/**
 * What changed at Invo since the facts an approval would be based on, while a refund awaits one: it is then no longer possible as
 * requested. None where the facts were renewed with the newest reading.
 */
export function findLateChanges({ state, lastErrorCode, facts }: Looked, newest: PeriodFacts | null): string[] {
  if (state !== 'awaiting_approval' || lastErrorCode !== 'period_changed') return [];
  return newest === null ? [] : formatChanges(facts.period, newest);
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
