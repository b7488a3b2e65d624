import type { ReactElement, ReactNode } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { formatUsd, normalizeMoney } from '#lib/core/money.ts';
import { formatPaymentSums, type StateSum } from '#lib/payments/rules/payment-sums.ts';
import { ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import styles from './payments.module.css';

interface PaymentProgressProps {
  parts: readonly StateSum[];
  /** Payments in no file that one person proposed to re-issue, or recorded as paid elsewhere. */
  proposed: { count: number; total_usd: string };
  /** The form that closes the run. */
  children?: ReactNode;
}

/** How far the payments of a run are: the sentence, a bar that repeats it, and each state with its count and sum. */
export function PaymentProgress({ parts, proposed, children }: PaymentProgressProps): ReactElement {
  const { total, states } = formatPaymentSums(parts);
  return (
    <Card label="Progress of payments">
      <p className={styles.sentence}>
        <strong>{total}</strong> {states}
      </p>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ state, count }) => (
          <span key={state} className={styles[state]} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl className={styles.states}>
        {parts.map(({ state, count, total_usd }) => (
          <div key={state}>
            <dt>
              <span className={`${styles.key} ${styles[state]}`} aria-hidden="true" /> {ITEM_STATE_TEXT[state]}
            </dt>
            <dd>
              <Money amount={normalizeMoney(total_usd)} size="fact" /> <span title={countNoun(count, 'payment')}>{formatCount(count)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {proposed.count > 0 && (
        <p className={styles.proposed}>
          Of those not in a file, {countNoun(proposed.count, 'payment')} of {formatUsd(normalizeMoney(proposed.total_usd))}{' '}
          {proposed.count === 1 ? 'is' : 'are'} proposed as paid elsewhere or to be re-issued. No file takes{' '}
          {proposed.count === 1 ? 'it' : 'them'} until a second person decides.
        </p>
      )}
      {children}
    </Card>
  );
}
