import type { ReactElement } from 'react';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { sayCharged, sayPeriodSpan } from '#app/[game]/_refunds/words/period-words.ts';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { maskEmailsIn } from '#lib/core/typed-text.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';
import { REFUND_REASONS } from '#lib/refunds/rules/request.ts';

export interface AskedForProps {
  refund: RefundDetail;
  canSeeEmails: boolean;
}

/** What was asked for, and on which facts; with the estimate it is everything an approval speaks of. */
export function AskedFor({ refund, canSeeEmails }: AskedForProps): ReactElement {
  const { facts, estimate, reason_code, reason_text, amount_usd } = refund;
  const { period } = facts;
  const words = reason_text ?? REFUND_REASONS[reason_code];
  return (
    <Card title={`Asked for, on what Invo told at ${formatUtc(facts.read_at, 'second')}`}>
      <Facts
        facts={[
          {
            label: 'Refund',
            value: sayUsd(amount_usd),
            note: estimate.is_full_refund ? 'It completes the period.' : 'A part of the period: coins, nothing to the card.',
          },
          { label: 'Period', value: `Number ${refund.period_seq}`, note: sayPeriodSpan(period) },
          { label: 'Charged', value: sayUsd(period.amount_usd), note: sayCharged(period) },
          { label: 'Refunded before', value: sayUsd(period.refunded_to_date_usd) },
          { label: 'Left before', value: sayUsd(remainingOf(period)) },
          {
            label: 'Reason',
            value: REFUND_REASONS[reason_code],
            note: `Sent to Invo as “${canSeeEmails ? words : maskEmailsIn(words)}”`,
          },
        ]}
      />
    </Card>
  );
}
