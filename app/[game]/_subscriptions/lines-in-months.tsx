import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { negateMoney } from '#lib/core/money.ts';
import type { LineEvidence } from '#lib/subscriptions/reads.ts';
import styles from './detail.module.css';

// More lines than this are folded when the page also shows Invo's answer.
const LINES_IN_SIGHT = 8;

interface LinesInMonthsProps {
  slug: string;
  evidence: LineEvidence;
  /** The page shows nothing else. */
  isAlone: boolean;
}

/** The lines of the pulled months, each with a link to its month, whatever Invo reports today. */
export function LinesInMonths({ slug, evidence, isAlone }: LinesInMonthsProps): ReactElement {
  const { renewals, reversals } = evidence;
  if (renewals.length === 0 && reversals.length === 0) {
    return (
      <section>
        <h2>Lines in pulled months</h2>
        <p className={styles.quiet}>None. Renewals without attribution have no lines.</p>
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
    <SimpleTable
      label="Lines in pulled months"
      isLong
      rows={lines}
      keyOf={({ kind, month, periodId }) => `${kind} ${month} ${periodId}`}
      columns={[
        {
          label: 'Month',
          cell: ({ month, list, periodId }) => <Link href={`/${slug}/months/${month}/${list}?find=${periodId}`}>{formatMonth(month)}</Link>,
        },
        { label: 'Line', cell: ({ kind }) => kind },
        { label: 'Period', cell: ({ periodId }) => <Link href={`/${slug}/periods/${periodId}`}>{periodId}</Link> },
        { label: 'Settled', isWideOnly: true, cell: ({ at }) => <span className={styles.when}>{at === null ? '' : formatUtc(at)}</span> },
        {
          label: 'Recipient',
          isWideOnly: true,
          cell: ({ recipientPlayerId, month }) => (
            <Link href={`/${slug}/recipients/${recipientPlayerId}?month=${month}`}>{recipientPlayerId}</Link>
          ),
        },
        { label: 'Attributed, USD', isFigure: true, cell: ({ amount }) => <Money amount={amount} /> },
      ]}
    />
  );
  return (
    <section>
      <h2>Lines in pulled months</h2>
      {isAlone || lines.length <= LINES_IN_SIGHT ? (
        table
      ) : (
        <details className={styles.folded}>
          <summary>Show all {lines.length} lines</summary>
          {table}
        </details>
      )}
    </section>
  );
}
