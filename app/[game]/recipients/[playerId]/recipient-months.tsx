import Link from 'next/link';
import type { ReactElement } from 'react';
import type { RecipientHistory, RecipientMonth } from '../../../../db/queries/recipient-history.ts';
import { negateMoney } from '../../../../lib/domain/money.ts';
import { formatCount } from '../../../_ui/figures/format-count.ts';
import { formatMonth, formatUtc } from '../../../_ui/figures/format-instant.ts';
import { Money } from '../../../_ui/figures/money.tsx';
import { TableFrame } from '../../../_ui/layout/table-frame.tsx';
import { Status } from '../../../_ui/words/status.tsx';
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
          {months.map((each) => (
            <tr key={each.month}>
              <th scope="row">
                <Link
                  href={`/${slug}/recipients/${playerId}?month=${each.month}`}
                  scroll={false}
                  className={each.month === chosen ? styles.chosen : undefined}
                  aria-current={each.month === chosen ? 'true' : undefined}
                >
                  {formatMonth(each.month)}
                </Link>
              </th>
              <td className="num">{formatCount(each.renewalCount)}</td>
              <td className="num">
                <Money amount={each.earned} />
              </td>
              <td className="num">
                <Money amount={negateMoney(each.reversed)} />
              </td>
              <td className="num">
                <Money amount={each.net} isStrong />
              </td>
              <td className="num">
                {each.reversalCount === 0 ? (
                  '0'
                ) : (
                  <Link href={`/${slug}/months/${each.month}/reversals?find=${playerId}`}>{formatCount(each.reversalCount)}</Link>
                )}
              </td>
              <td>
                <Standing month={each} />
              </td>
              <td data-print="no">
                <Link href={`/${slug}/months/${each.month}?find=${playerId}`}>Open {formatMonth(each.month, 'short')}</Link>
              </td>
            </tr>
          ))}
        </tbody>
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
      </TableFrame>
    </section>
  );
}

function Standing({ month }: { month: RecipientMonth }): ReactElement {
  if (month.standing === 'complete') return <Status tone="good" word="Complete" />;
  if (month.standing === 'open') return <Status tone="wait" word={`Open, covered until ${formatUtc(month.coveredUntil)}`} />;
  return <Status tone="bad" word="Does not tie" />;
}
