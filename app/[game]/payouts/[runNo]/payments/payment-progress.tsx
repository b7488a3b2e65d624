import type { ReactElement } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { normalizeMoney } from '#lib/core/money.ts';
import { formatPaymentSums, type StateSum } from '#lib/payments/rules/payment-sums.ts';
import { ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import styles from './payments.module.css';

/** How far the payments of a run are: the sentence, a bar that repeats it, and each state with its count and sum. */
export function PaymentProgress({ parts }: { parts: readonly StateSum[] }): ReactElement {
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
    </Card>
  );
}
