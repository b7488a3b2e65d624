import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Effects } from '#app/[game]/_refunds/effects/effects.tsx';
import type { RefundEstimate, ReversalPreview } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import styles from './refund-form.module.css';
import { sumUp } from './sum-up.ts';

interface PreviewProps {
  slug: string;
  facts: RefundFacts;
  estimate: RefundEstimate | null;
  reversal: ReversalPreview;
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
