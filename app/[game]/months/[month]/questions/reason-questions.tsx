import type { ReactElement } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format-count.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { reasonTextOf } from '#lib/subscriptions/text.ts';
import { Question } from './question.tsx';

/** Renewals that settled and are attributed to nobody, by Invo's reason; the report counts them and lists no lines. */
export function ReasonQuestions({ reasons }: { reasons: { reason: string; count: number }[] }): ReactElement {
  const sorted = reasons.toSorted(
    (a, b) => Number(reasonTextOf(b.reason).isBlocking) - Number(reasonTextOf(a.reason).isBlocking) || b.count - a.count,
  );
  return (
    <>
      {sorted.map(({ reason, count }) => {
        const words = reasonTextOf(reason);
        return (
          <Question
            key={reason}
            title={words.title}
            count={count}
            isUrgent={words.isBlocking}
            playbook={`${countNoun(count, 'settled renewal')} without attribution (${reason}). ${words.advice}`}
          />
        );
      })}
    </>
  );
}

/** The reason that asks for nothing, apart from the questions. */
export function BenignReason({ count }: { count: number }): ReactElement | null {
  if (count === 0) return null;
  return (
    <Notice voice="note" title={`${countNoun(count, 'renewal')} without a configured revenue share`}>
      Nobody earned anything on {count === 1 ? 'it' : `these ${formatCount(count)}`}. This is no question and is listed for completeness
      (no_revenue_share_configured).
    </Notice>
  );
}
