import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { type RefundSummary, SUMMARIES_MAX } from '#lib/refunds/reads/refund-preconditions.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import styles from './detail.module.css';

/** The refunds requested in Sharebook; nothing when there are none. */
export function OwnRefunds({ slug, refunds }: { slug: string; refunds: RefundSummary[] }): ReactElement | null {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2>Refunds in Sharebook</h2>
      <SimpleTable
        label="Refunds in Sharebook"
        rows={refunds.slice(0, SUMMARIES_MAX)}
        keyOf={({ refundId }) => refundId}
        columns={[
          { label: 'Refund', cell: ({ refundId }) => <Link href={`/${slug}/refunds/${refundId}`}>Refund {refundId}</Link> },
          { label: 'Status', cell: (refund) => <Status tone={refundStatusText(refund).tone} word={refundStatusText(refund).label} /> },
          { label: 'Amount, USD', isFigure: true, cell: ({ amount_usd }) => <Money amount={amount_usd} /> },
          {
            label: 'Period',
            isWideOnly: true,
            cell: ({ period_id, period_seq }) => (
              <Link href={`/${slug}/periods/${period_id}`}>
                Period {period_seq}, ID {period_id}
              </Link>
            ),
          },
          {
            label: 'Requested',
            isWideOnly: true,
            cell: ({ requestedAt }) => <span className={styles.when}>{formatUtc(requestedAt)}</span>,
          },
        ]}
      />
      {refunds.length > SUMMARIES_MAX && (
        <p className={styles.quiet}>
          Showing the newest {SUMMARIES_MAX}. <Link href={`/${slug}/refunds`}>View all refunds</Link>
        </p>
      )}
    </section>
  );
}
