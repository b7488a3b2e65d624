import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import styles from './money.module.css';

export interface MoneyProps {
  /** Exact decimal text in USD; null: not reported. */
  amount: string | null;
  /** `cell` in rows, `fact` beside a label, `answer` for the one figure a page is about. */
  size?: 'cell' | 'fact' | 'answer';
  isStrong?: boolean;
}

/** An amount in USD as reported: tabular, true minus, zero grey, negative red, never rounded and never clamped. */
export function Money({ amount, size = 'cell', isStrong = false }: MoneyProps): ReactElement {
  if (amount === null) return <span className={clsx(styles.missing, styles[size])}>not reported</span>;
  const sign = signOfMoney(amount);
  const text = formatMoney(amount);
  const point = text.indexOf('.');
  return (
    <span className={clsx(styles.money, styles[size], sign < 0 && styles.negative, sign === 0 && styles.zero, isStrong && styles.strong)}>
      {size === 'answer' ? (
        <>
          {text.slice(0, point)}
          <span className={styles.cents}>{text.slice(point)} USD</span>
        </>
      ) : (
        text
      )}
    </span>
  );
}
