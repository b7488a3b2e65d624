import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatMoney } from '#lib/core/money.ts';

export interface LateNoticeProps {
  /** What is different at Invo by now, where that makes the refund impossible. */
  changes: string[];
  amount_usd: string;
}

/** Says that the period is not what was asked about any more; nothing when it is. */
export function LateNotice({ changes, amount_usd }: LateNoticeProps): ReactElement | null {
  if (changes.length === 0) return null;
  return (
    <Notice voice="bad" title="At Invo the period is not what stands below any more">
      {changes.join(' ')} With that, {formatMoney(amount_usd)} USD can no longer be refunded as asked.
    </Notice>
  );
}
