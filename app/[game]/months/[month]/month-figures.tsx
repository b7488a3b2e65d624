import type { ReactElement, ReactNode } from 'react';
import { MoneyFlow } from '#app/_ui/charts/money-flow.tsx';
import { formatChange, formatCount, formatMonth } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';
import { formatUsd, negateMoney, signOfMoney } from '#lib/core/money.ts';
import { addMonths } from '#lib/core/month.ts';
import type { MonthRow } from '../month-state.ts';
import styles from './month.module.css';

const TITLES: Record<SnapshotFacts['status'], string> = {
  complete: 'Net attributed',
  open: 'Net attributed so far',
  inconsistent: 'Net attributed as stated by Invo',
};

/** The figures of a month as cards: the net, what it consists of, and the money flow. Only the first tab has them. */
export function MonthCards({ row, snapshot }: { row: MonthRow; snapshot: SnapshotFacts }): ReactElement {
  const { totals } = snapshot;
  const before = formatMonth(addMonths(row.month, -1)).split(' ')[0];
  return (
    <div className={styles.cards}>
      <Card isAnswer title={TITLES[snapshot.status]}>
        <Money amount={totals.net_attributed_usd} size="answer" />
        <p className={styles.change}>
          {row.netBefore === null
            ? `Compared with ${before} when both months reconcile`
            : `${formatChange(totals.net_attributed_usd, row.netBefore)} from ${before}`}
        </p>
        <dl className={styles.facts}>
          <Fact label="Gross">
            <Money amount={totals.gross_attributed_usd} size="fact" />
          </Fact>
          <Fact label="Reversed">
            <Money amount={negateMoney(totals.reversed_attributed_usd)} size="fact" />
          </Fact>
          <Fact label="Recipients">{formatCount(totals.recipient_count)}</Fact>
          <Fact label="Negative balance">
            {snapshot.negativeBalanceCount === 0 ? 'none' : <Money amount={snapshot.negative_balance_usd} size="fact" />}
          </Fact>
        </dl>
      </Card>
      <Card title="Money flow" aside={<span className={styles.unit}>USD. Card fees on refunds aren’t in this report.</span>}>
        <MoneyFlow {...totals} />
      </Card>
    </div>
  );
}

/** The same figures on one line, for every other tab. */
export function MonthFigures({ snapshot }: { snapshot: SnapshotFacts }): ReactElement {
  const { totals } = snapshot;
  return (
    <dl className={styles.line}>
      <Fact label="Gross">{formatUsd(totals.gross_attributed_usd)}</Fact>
      <Fact label="Reversed" isNegative={signOfMoney(totals.reversed_attributed_usd) > 0}>
        {formatUsd(negateMoney(totals.reversed_attributed_usd))}
      </Fact>
      <Fact label={TITLES[snapshot.status]} isNegative={signOfMoney(totals.net_attributed_usd) < 0}>
        {formatUsd(totals.net_attributed_usd)}
      </Fact>
      <Fact label="Recipients">{formatCount(totals.recipient_count)}</Fact>
      {snapshot.negativeBalanceCount > 0 && (
        <Fact label="Negative balance" isNegative>
          {formatUsd(snapshot.negative_balance_usd)}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, isNegative = false, children }: { label: string; isNegative?: boolean; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isNegative ? styles.negative : undefined}>{children}</dd>
    </div>
  );
}
