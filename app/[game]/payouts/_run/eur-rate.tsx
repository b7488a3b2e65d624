import type { ReactElement } from 'react';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { formatMoney, formatUsd, normalizeMoney, sumMoney } from '#lib/core/money.ts';
import { sumInEur } from '#lib/payments/rules/convert-usd.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import styles from './run.module.css';

interface EurRateFactsProps {
  rate: Run['eurRate'];
  /** What the run pays by SEPA, in USD, payment by payment. */
  amounts: readonly string[];
}

/** What a run pays by SEPA, in USD and in EUR at the rate that a person entered. */
export function EurRateFacts({ rate, amounts }: EurRateFactsProps): ReactElement {
  const sum = `${countNoun(amounts.length, 'SEPA payment')}, ${formatUsd(normalizeMoney(sumMoney(amounts)))}`;
  if (rate === null) return <p className={styles.hint}>{sum}. SEPA moves euros, so the run needs a rate before it can be submitted.</p>;
  return (
    <>
      <p>
        <strong>{normalizeMoney(rate.usd_per_eur)} USD per EUR</strong>
      </p>
      <p className={styles.hint}>Source: {showControls(rate.source)}</p>
      <p className={styles.hint}>
        {sum}: {formatMoney(sumInEur(amounts, rate.usd_per_eur))} EUR. Each payment is rounded to the cent.
      </p>
    </>
  );
}
