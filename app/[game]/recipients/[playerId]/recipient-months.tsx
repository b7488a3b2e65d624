import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { RecipientHistory, RecipientMonth } from '#db/evidence/reads/recipients.ts';
import { negateMoney } from '#lib/core/money.ts';
import styles from './recipient.module.css';

interface RecipientMonthsProps {
  slug: string;
  history: RecipientHistory;
  /** The month whose lines stand below. */
  chosen: string | undefined;
}

/** Every month of a recipient, newest first; each leads to its lines here and to the whole month. */
export function RecipientMonths({ slug, history, chosen }: RecipientMonthsProps): ReactElement {
  const { total, months, playerId } = history;
  return (
    <section className={styles.section}>
      <h2>Months</h2>
      <TableFrame label="Months">
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col" className="num">
              Renewals
            </th>
            <th scope="col" className="num">
              Earned
            </th>
            <th scope="col" className="num">
              Reversed
            </th>
            <th scope="col" className="num">
              Net
            </th>
            <th scope="col" className="num">
              Reversals
            </th>
            <th scope="col">State</th>
            <th scope="col" data-print="no">
              Whole month
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <MonthRow key={month.month} {...{ slug, playerId, month }} isChosen={month.month === chosen} />
          ))}
        </tbody>
        <CompleteMonths total={total} />
      </TableFrame>
    </section>
  );
}

interface MonthRowProps {
  slug: string;
  playerId: number;
  month: RecipientMonth;
  isChosen: boolean;
}

function MonthRow({ slug, playerId, month, isChosen }: MonthRowProps): ReactElement {
  return (
    <tr>
      <th scope="row">
        <Link
          href={`/${slug}/recipients/${playerId}?month=${month.month}`}
          scroll={false}
          className={isChosen ? styles.chosen : undefined}
          aria-current={isChosen ? 'true' : undefined}
        >
          {formatMonth(month.month)}
        </Link>
      </th>
      <td className="num">{formatCount(month.renewalCount)}</td>
      <td className="num">
        <Money amount={month.earned} />
      </td>
      <td className="num">
        <Money amount={negateMoney(month.reversed)} />
      </td>
      <td className="num">
        <Money amount={month.net} isStrong />
      </td>
      <td className="num">
        {month.reversalCount === 0 ? (
          '0'
        ) : (
          <Link href={`/${slug}/months/${month.month}/reversals?find=${playerId}`}>{formatCount(month.reversalCount)}</Link>
        )}
      </td>
      <td>
        <Standing month={month} />
      </td>
      <td data-print="no">
        <Link href={`/${slug}/months/${month.month}?find=${playerId}`}>Open {formatMonth(month.month, 'short')}</Link>
      </td>
    </tr>
  );
}

function CompleteMonths({ total }: Pick<RecipientHistory, 'total'>): ReactElement {
  return (
    <tfoot>
      <tr>
        <th scope="row">Complete months</th>
        <td className="num">{formatCount(total.renewalCount)}</td>
        <td className="num">
          <Money amount={total.earned} isStrong />
        </td>
        <td className="num">
          <Money amount={negateMoney(total.reversed)} isStrong />
        </td>
        <td className="num">
          <Money amount={total.net} isStrong />
        </td>
        <td />
        <td />
        <td data-print="no" />
      </tr>
    </tfoot>
  );
}

function Standing({ month }: { month: RecipientMonth }): ReactElement {
  if (month.status === 'complete') return <Status tone="good" word="Complete" />;
  if (month.status === 'open') return <Status tone="wait" word={`Open, covered until ${formatUtc(month.coveredUntil)}`} />;
  return <Status tone="bad" word="Does not tie" />;
}
