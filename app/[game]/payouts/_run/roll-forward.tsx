import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { negateMoney, normalizeMoney } from '#lib/core/money.ts';
import type { RunTotals } from '#lib/payouts/rules/compose-run.ts';
import { RUN_COLUMN_TEXT } from '#lib/payouts/text.ts';
import styles from './run.module.css';

/** How a run's payable comes about: nine figures, each the next step of the one before. */
export function RollForward({ totals, payableCount }: { totals: RunTotals; payableCount: number }): ReactElement {
  const columns = Object.keys(RUN_COLUMN_TEXT) as (keyof RunTotals)[];
  return (
    <dl className={styles.strip}>
      {columns.map((column) => (
        <div
          key={column}
          className={clsx(column === 'payable' && styles.answer, (column === 'due' || column === 'closing') && styles.result)}
        >
          <dt>{column === 'payable' ? `Payable to ${countNoun(payableCount, 'recipient')}` : RUN_COLUMN_TEXT[column]}</dt>
          <dd>
            <Money
              amount={normalizeMoney(column === 'reversed' ? negateMoney(totals.reversed) : totals[column])}
              size={column === 'payable' ? 'answer' : 'fact'}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}
