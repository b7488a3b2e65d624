import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import { Flag, Status, type Tone } from '#app/_ui/words/status.tsx';
import type { SnapshotSummary } from '#db/evidence/reads/snapshots.ts';
import { negateMoney } from '#lib/core/money.ts';
import styles from './statements-table.module.css';

const STANDINGS: Record<SnapshotSummary['status'], { tone: Tone; word: string }> = {
  complete: { tone: 'good', word: 'Complete' },
  open: { tone: 'wait', word: 'Open' },
  inconsistent: { tone: 'bad', word: 'Does not tie' },
};

/** Every statement of the month, newest first: none is ever changed, so an older one can always be compared. */
export function StatementsTable({ statements, shownId }: { statements: SnapshotSummary[]; shownId: number }): ReactElement {
  return (
    <>
      <h2 className={styles.heading}>Statements of this month</h2>
      <TableFrame label="Statements of this month">
        <thead>
          <tr>
            <th scope="col">Snapshot</th>
            <th scope="col">Standing</th>
            <th scope="col">Stored</th>
            <th scope="col" className="num">
              Earned
            </th>
            <th scope="col" className="num">
              Reversed
            </th>
            <th scope="col" className="num">
              Net, USD
            </th>
            <th scope="col" className="num">
              Calls
            </th>
          </tr>
        </thead>
        <tbody>
          {statements.map((each) => (
            <tr key={each.snapshotId}>
              <th scope="row">
                {each.snapshotId} {each.snapshotId === shownId && <Flag tone="busy" word="shown" />}
              </th>
              <td>
                <Status {...STANDINGS[each.status]} />
              </td>
              <td>
                <Instant at={each.createdAt} precision="second" />
              </td>
              <td>
                <Money amount={each.gross_attributed_usd} />
              </td>
              <td>
                <Money amount={negateMoney(each.reversed_attributed_usd)} />
              </td>
              <td>
                <Money amount={each.net_attributed_usd} isStrong />
              </td>
              <td className="num">{formatCount(each.callCount)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </>
  );
}
