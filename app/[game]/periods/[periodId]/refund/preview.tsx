import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMoney, signOfMoney } from '../../../../../lib/domain/money.ts';
import type { RefundEstimate } from '../../../../../lib/domain/refund/estimate-refund.ts';
import type { ForeseenReversal } from '../../../../../lib/domain/refund/foresee-reversal.ts';
import type { RefundFacts } from '../../../../../lib/domain/refund/period-facts.ts';
import { describeCoins } from '../../../_refund/effects/describe-coins.ts';
import { Effects } from '../../../_refund/effects/effects.tsx';
import styles from './refund-form.module.css';

interface PreviewProps {
  slug: string;
  facts: RefundFacts;
  estimate: RefundEstimate | null;
  reversal: ForeseenReversal;
}

/** What the refund would do, drawn anew as the amount is typed; its head says whether it completes the period. */
export function Preview({ slug, facts, estimate, reversal }: PreviewProps): ReactElement {
  return (
    <section className={clsx(styles.preview, estimate?.is_full_refund && styles.completes)} aria-label="What it does, an estimate">
      <h2 className={styles.previewHead}>What it does, an estimate</h2>
      <p className={styles.sum} role="status">
        {estimate === null ? 'Write an amount to see what it does.' : sumUp(estimate)}
      </p>
      {estimate !== null && <Effects slug={slug} facts={facts} estimate={estimate} reversal={reversal} />}
    </section>
  );
}

function sumUp({ is_full_refund, card_refunded_usd: card, balance_delta_coins }: RefundEstimate): string {
  if (!is_full_refund) return `A part of the period. Nothing goes back to the card; ${describeCoins(balance_delta_coins)}.`;
  const back =
    card === null
      ? 'What goes to the card is not known'
      : signOfMoney(card) > 0
        ? `${formatMoney(card)} USD back to the card`
        : 'Nothing to a card';
  return `Completes the period. ${back}; ${describeCoins(balance_delta_coins)}.`;
}
