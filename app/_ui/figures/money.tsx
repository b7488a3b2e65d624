import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMoney, formatUsd, signOfMoney } from '#lib/core/money.ts';
import styles from './money.module.css';

export interface MoneyProps {
  /** Exact decimal text in USD; null: not reported. */
  amount: string | null;
  /** `cell` in rows, `fact` beside a label, `answer` for the one figure a page is about; an answer has the dollar sign. */
  size?: 'cell' | 'fact' | 'answer';
  isStrong?: boolean;
  /** Decimal places of the longest amount in the column, so that decimal points align. */
  places?: number;
}

/** An amount in USD as reported: tabular, true minus, zero gray, negative red, digits beyond the cent gray; never rounded, never clamped. */
export function Money({ amount, size = 'cell', isStrong = false, places = 2 }: MoneyProps): ReactElement {
  if (amount === null) return <span className={clsx(styles.missing, styles[size])}>not reported</span>;
  const sign = signOfMoney(amount);
  const text = size === 'answer' ? formatUsd(amount) : formatMoney(amount);
  const cut = text.indexOf('.') + (size === 'answer' ? 0 : 3);
  const missing = Math.max(2, places) - (text.length - text.indexOf('.') - 1);
  return (
    <span
      {...(size === 'cell' && missing > 0 ? { style: { paddingRight: `${missing}ch` } } : {})}
      className={clsx(styles.money, styles[size], sign < 0 && styles.negative, sign === 0 && styles.zero, isStrong && styles.strong)}
    >
      {text.slice(0, cut)}
      {cut < text.length && <span className={size === 'answer' ? styles.cents : styles.beyond}>{text.slice(cut)}</span>}
    </span>
  );
}
