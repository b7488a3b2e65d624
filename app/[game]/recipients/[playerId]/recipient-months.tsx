import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Matches, Status } from '#app/_ui/words/status.tsx';
import { negateMoney } from '#lib/core/money.ts';
import type { RecipientHistory, RecipientMonth } from '#lib/evidence/reads/recipients.ts';
import styles from './recipient.module.css';

interface RecipientMonthsProps {
  slug: string;
  history: RecipientHistory;
  /** The month whose lines are listed below. */
  chosen: string | undefined;
}

/** Every month of a recipient, newest first; each links to its lines here and to the whole month. */
export function RecipientMonths({ slug, history, chosen }: RecipientMonthsProps): ReactElement {
  const { total, months, playerId } = history;
  const columns: SimpleColumn<RecipientMonth>[] = [
    {
      label: 'Month',
      cell: (row) => (
        <>
          <Link
            href={`/${slug}/recipients/${playerId}?month=${row.month}`}
            scroll={false}
            className={row.month === chosen ? styles.chosen : undefined}
            aria-current={row.month === chosen ? 'true' : undefined}
          >
            {formatMonth(row.month)}
          </Link>
          <NarrowNote>
            <MonthState month={row} />
          </NarrowNote>
        </>
      ),
      total: 'Complete months',
    },
    {
      label: 'Renewals',
      isFigure: true,
      isWideOnly: true,
      cell: ({ renewalCount }) => formatCount(renewalCount),
      total: formatCount(total.renewalCount),
    },
    {
      label: 'Gross',
      isFigure: true,
      isWideOnly: true,
      cell: ({ earned }) => <Money amount={earned} />,
      total: <Money amount={total.earned} isStrong />,
    },
    {
      label: 'Reversed',
      isFigure: true,
      isWideOnly: true,
      cell: ({ reversed }) => <Money amount={negateMoney(reversed)} />,
      total: <Money amount={negateMoney(total.reversed)} isStrong />,
    },
    {
      label: 'Net attributed',
      isFigure: true,
      cell: ({ net }) => <Money amount={net} isStrong />,
      total: <Money amount={total.net} isStrong />,
    },
    {
      label: 'Reversals',
      isFigure: true,
      isWideOnly: true,
      cell: ({ month, reversalCount }) =>
        reversalCount === 0 ? '0' : <Link href={`/${slug}/months/${month}/reversals?find=${playerId}`}>{formatCount(reversalCount)}</Link>,
    },
    { label: 'State', isWideOnly: true, cell: (row) => <MonthState month={row} /> },
    {
      label: 'Month page',
      isWideOnly: true,
      isScreenOnly: true,
      cell: ({ month }) => <Link href={`/${slug}/months/${month}?find=${playerId}`}>View {formatMonth(month, 'short')}</Link>,
    },
  ];
  return (
    <section className={styles.section}>
      <h2>Months</h2>
      <SimpleTable label="Months" columns={columns} rows={months} keyOf={({ month }) => month} />
    </section>
  );
}

function MonthState({ month }: { month: RecipientMonth }): ReactElement {
  if (month.status === 'complete') return <Matches word="Complete" />;
  if (month.status === 'open') return <Status tone="wait" word={`Open, covered until ${formatUtc(month.coveredUntil)}`} />;
  return <Status tone="bad" word="Doesn’t reconcile" />;
}
