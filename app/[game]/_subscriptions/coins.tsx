import type { ReactElement } from 'react';
import { formatMoney } from '#lib/core/money.ts';
import styles from './detail.module.css';

/** An amount of coins with its unit, never dollars; null is not recorded, which is not zero. */
export function Coins({ amount, currency = 'coins' }: { amount: string | null; currency?: string }): ReactElement {
  if (amount === null) return <span className={styles.missing}>not recorded</span>;
  return (
    <span className={styles.coins}>
      {formatMoney(amount)} <bdi>{currency}</bdi>
    </span>
  );
}
