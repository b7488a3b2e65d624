import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { OWN_REFUNDS_MAX, type OwnRefund } from '#db/refunds/reads/list-own-refunds.ts';
import type { LineEvidence } from '#db/subscriptions/reads.ts';
import { negateMoney } from '#lib/core/money.ts';
import { REFUND_STATE_WORDS } from '#lib/refunds/rules/refund-state.ts';
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
                <Status tone={REFUND_STATE_WORDS[state].tone} word={REFUND_STATE_WORDS[state].label} />
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

// More lines than this are folded away while the page has Invo's own answer to show.
const LINES_IN_SIGHT = 8;

interface HeldLinesProps {
  slug: string;
  evidence: LineEvidence;
  /** They are all there is to show. */
  isAlone: boolean;
}

/** What the months hold of it: the lines that reports brought, each with the way to its month, whatever Invo says today. */
export function LinesInMonths({ slug, evidence, isAlone }: HeldLinesProps): ReactElement {
  const { renewals, reversals } = evidence;
  if (renewals.length === 0 && reversals.length === 0) {
    return (
      <section>
        <h2>In the months</h2>
        <p className={styles.quiet}>No month that was pulled holds a line of it. Unattributed renewals have no lines.</p>
      </section>
    );
  }
  const lines = [
    ...renewals.map((line) => ({ ...line, kind: 'Renewal', amount: line.attributed_amount_usd, at: line.paidAt, list: 'lines' })),
    ...reversals.map((line) => ({
      ...line,
      kind: 'Reversal',
      amount: negateMoney(line.reversed_attributed_usd),
      at: null,
      list: 'reversals',
    })),
  ].toSorted((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : 0));
  const table = (
    <TableFrame label="In the months" isLong>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Line</th>
          <th scope="col">Period</th>
          <th scope="col">Settled</th>
          <th scope="col">Recipient</th>
          <th scope="col" className="num">
            Attributed, USD
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ month, kind, periodId, at, amount, recipientPlayerId, list }) => (
          <tr key={`${kind} ${month} ${periodId}`}>
            <th scope="row">
              <Link href={`/${slug}/months/${month}/${list}?find=${periodId}`}>{formatMonth(month)}</Link>
            </th>
            <td>{kind}</td>
            <td>
              <Link href={`/${slug}/periods/${periodId}`}>{periodId}</Link>
            </td>
            <td className={styles.when}>{at === null ? '' : formatUtc(at)}</td>
            <td>
              <Link href={`/${slug}/recipients/${recipientPlayerId}?month=${month}`}>{recipientPlayerId}</Link>
            </td>
            <td className="num">
              <Money amount={amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
  return (
    <section>
      <h2>In the months</h2>
      {isAlone || lines.length <= LINES_IN_SIGHT ? (
        table
      ) : (
        <details className={styles.folded}>
          <summary>{lines.length} lines in the months that were pulled</summary>
          {table}
        </details>
      )}
    </section>
  );
}
