import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { OWN_REFUNDS_MAX, type OwnRefund } from '#db/refunds/reads/refund-preconditions.ts';
import { REFUND_STATE_TEXT } from '#lib/refunds/text.ts';
import styles from './detail.module.css';

/** The refunds requested in Sharebook; nothing when there are none. */
export function OwnRefunds({ slug, refunds }: { slug: string; refunds: OwnRefund[] }): ReactElement | null {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2>Refunds in Sharebook</h2>
      <TableFrame label="Refunds in Sharebook">
        <thead>
          <tr>
            <th scope="col">Refund</th>
            <th scope="col">Status</th>
            <th scope="col" className="num">
              Amount, USD
            </th>
            <th scope="col">Period</th>
            <th scope="col">Requested</th>
          </tr>
        </thead>
        <tbody>
          {refunds.slice(0, OWN_REFUNDS_MAX).map(({ refundId, state, amount_usd, periodId, periodSeq, requestedAt }) => (
            <tr key={refundId}>
              <th scope="row">
                <Link href={`/${slug}/refunds/${refundId}`}>Refund {refundId}</Link>
              </th>
              <td>
                <Status tone={REFUND_STATE_TEXT[state].tone} word={REFUND_STATE_TEXT[state].label} />
              </td>
              <td className="num">
                <Money amount={amount_usd} />
              </td>
              <td>
                <Link href={`/${slug}/periods/${periodId}`}>
                  Period {periodSeq}, ID {periodId}
                </Link>
              </td>
              <td className={styles.when}>{formatUtc(requestedAt)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {refunds.length > OWN_REFUNDS_MAX && (
        <p className={styles.quiet}>
          Showing the newest {OWN_REFUNDS_MAX}. <Link href={`/${slug}/refunds`}>View all refunds</Link>
        </p>
      )}
    </section>
  );
}
