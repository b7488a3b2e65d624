import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { OWN_REFUNDS_MAX, type OwnRefund } from '#db/refunds/reads/refund-preconditions.ts';
import { REFUND_STATE_TEXT } from '#lib/refunds/text.ts';
import styles from './detail.module.css';

/** The refunds people asked for in this Sharebook, beside what Invo tells; nothing when there are none. */
export function OwnRefunds({ slug, refunds }: { slug: string; refunds: OwnRefund[] }): ReactElement | null {
  if (refunds.length === 0) return null;
  return (
    <section>
      <h2>Refunds asked for here</h2>
      <TableFrame label="Refunds asked for here">
        <thead>
          <tr>
            <th scope="col">Refund</th>
            <th scope="col">State</th>
            <th scope="col" className="num">
              Amount, USD
            </th>
            <th scope="col">Period</th>
            <th scope="col">Asked for</th>
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
                  {periodId}, number {periodSeq}
                </Link>
              </td>
              <td className={styles.when}>{formatUtc(requestedAt)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {refunds.length > OWN_REFUNDS_MAX && (
        <p className={styles.quiet}>
          These are the newest {OWN_REFUNDS_MAX}. <Link href={`/${slug}/refunds`}>The register</Link> has them all.
        </p>
      )}
    </section>
  );
}
