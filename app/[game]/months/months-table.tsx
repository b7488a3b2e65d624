import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { formatGrowth } from '#app/_ui/figures/format-change.ts';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import { negateMoney } from '#lib/core/money.ts';
import { askFor } from './_asking/ask-for.ts';
import { PullButton } from './_asking/pull-button.tsx';
import type { MonthRow } from './month-row.ts';
import { MONTH_STATE_WORDS, type MonthState } from './month-state.ts';
import styles from './months-table.module.css';

/** Why a row has no figures. */
const NOTHING_WORDS: Partial<Record<MonthState, string>> = {
  never_pulled: 'Nothing is known of this month until it is pulled.',
  failed: 'The last pull failed; the month says why.',
  pulling: 'Its figures appear once every line is in and the checks were made.',
};

interface MonthsTableProps {
  /** In the order shown. */
  rows: MonthRow[];
  game: Pick<Game, 'slug' | 'timeZone'>;
  mayPull: boolean;
}

/** The months of a game as a table: the same figures as the chart, with the state of each and what can be asked of it. */
export function MonthsTable({ rows, game, mayPull }: MonthsTableProps): ReactElement {
  return (
    <TableFrame label="Months">
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">State</th>
          <th scope="col" className="num">
            Settled gross
          </th>
          <th scope="col" className="num">
            Invo fee
          </th>
          <th scope="col" className="num">
            Partner revenue
          </th>
          <th scope="col" className="num">
            Earned
          </th>
          <th scope="col" className="num">
            Reversed
          </th>
          <th scope="col" className="num">
            Net, change
          </th>
          <th scope="col" className="num">
            Recipients
          </th>
          <th scope="col">Questions</th>
          {mayPull && (
            <th scope="col" data-print="no">
              Ask Invo
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <MonthCells key={row.month} row={row} game={game} mayPull={mayPull} />
        ))}
      </tbody>
    </TableFrame>
  );
}

function MonthCells({ row, game, mayPull }: { row: MonthRow; game: MonthsTableProps['game']; mayPull: boolean }): ReactElement {
  const { month, state, snapshot, netBefore } = row;
  const href = `/${game.slug}/months/${month}`;
  const ask = askFor(row);
  const { tone, short } = MONTH_STATE_WORDS[state];
  return (
    <tr>
      <th scope="row">
        <Link href={href}>{formatMonth(month)}</Link>
        {snapshot?.status === 'open' && <span className={styles.covered}>to {formatUtc(snapshot.coveredUntil)}</span>}
      </th>
      <td>
        <Status tone={tone} word={short} />
      </td>
      {snapshot === null ? (
        <td colSpan={7} className={styles.nothing}>
          {NOTHING_WORDS[state]}
        </td>
      ) : (
        <>
          <td>
            <Money amount={snapshot.totals.settled_gross_usd} />
          </td>
          <td>
            <Money amount={snapshot.totals.invo_fee_usd} />
          </td>
          <td>
            <Money amount={snapshot.totals.partner_revenue_usd} />
          </td>
          <td>
            <Money amount={snapshot.totals.gross_attributed_usd} />
          </td>
          <td>
            <Money amount={negateMoney(snapshot.totals.reversed_attributed_usd)} />
          </td>
          <td>
            <Money amount={snapshot.totals.net_attributed_usd} isStrong />
            {netBefore !== null && <span className={styles.change}>{formatGrowth(snapshot.totals.net_attributed_usd, netBefore)}</span>}
          </td>
          <td className="num">{formatCount(snapshot.totals.recipient_count)}</td>
        </>
      )}
      <td>
        {snapshot !== null && snapshot.openItemCount > 0 && (
          <Link href={`${href}/questions`}>
            <Flag tone="wait" word={`${formatCount(snapshot.openItemCount)} open`} />
          </Link>
        )}
      </td>
      {mayPull && (
        <td data-print="no">
          {ask !== null && <PullButton game={game.slug} month={month} kind="quiet" label={`${ask.word}: ${formatMonth(month)}`} {...ask} />}
        </td>
      )}
    </tr>
  );
}
