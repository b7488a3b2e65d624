import type { ReactElement } from 'react';
import { FeeWalk } from '#app/_ui/charts/fee-walk.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatChange } from '#app/_ui/figures/format-change.ts';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';
import { negateMoney } from '#lib/core/money.ts';
import { addMonths } from '#lib/core/month.ts';
import type { MonthRow } from '../month-row.ts';
import styles from './month-answer.module.css';

const TITLES: Record<SnapshotFacts['status'], string> = {
  complete: 'Net attributed, to pay by you',
  open: 'Net attributed so far, not final',
  inconsistent: 'Net as Invo stated it, not proven',
};

/** What a month comes to: the net large, what it is made of, and where the money went. */
export function MonthAnswer({ row, snapshot }: { row: MonthRow; snapshot: SnapshotFacts }): ReactElement {
  const { totals } = snapshot;
  const before = formatMonth(addMonths(row.month, -1));
  return (
    <div className={styles.row}>
      <Card isAnswer title={TITLES[snapshot.status]}>
        <Money amount={totals.net_attributed_usd} size="answer" />
        <p className={styles.change}>
          {row.netBefore === null
            ? `Compared with ${before} once both are closed and proven`
            : `${formatChange(totals.net_attributed_usd, row.netBefore)} against ${before}`}
        </p>
        <div className={styles.facts}>
          <Facts
            facts={[
              { label: 'Earned', value: <Money amount={totals.gross_attributed_usd} size="fact" /> },
              { label: 'Reversed', value: <Money amount={negateMoney(totals.reversed_attributed_usd)} size="fact" /> },
              { label: 'Recipients', value: formatCount(totals.recipient_count) },
              { label: 'Owe back', value: <OwedBack snapshot={snapshot} /> },
            ]}
          />
        </div>
      </Card>
      <Card title="Where the money went" aside={<span className={styles.unit}>USD</span>}>
        <FeeWalk {...totals} />
        <p className={styles.note}>Card fees that Invo charges you on refunds are not in this report.</p>
      </Card>
    </div>
  );
}

function OwedBack({ snapshot }: { snapshot: SnapshotFacts }): ReactElement {
  if (snapshot.negativeBalanceCount === 0) return <>nobody</>;
  return (
    <>
      {formatCount(snapshot.negativeBalanceCount)} · <Money amount={snapshot.negative_balance_usd} size="fact" />
    </>
  );
}
