import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { formatItem } from '#app/_ui/figures/format.ts';
import { Checkbox } from '#app/_ui/forms/choices.tsx';
import { FormButtons, Hint } from '#app/_ui/forms/form.tsx';
import { Effects, formatPeriodDates } from '#app/[game]/_refunds/effects.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { type RefundEstimate, type RefundRisk, type ReversalPreview, riskKey } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import { formatRisk } from '#lib/refunds/text.ts';
import styles from './refund-form.module.css';

export interface ConfirmStepProps {
  /** As it was typed: what is confirmed is what is sent. */
  amountText: string;
  slug: string;
  gameName: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  reversal: ReversalPreview;
  needsApproval: boolean;
  isPaused: boolean;
  /** The second confirmation, where the wallet may go below zero or the charge is disputed; null: none is due. */
  second: { risk: RefundRisk; isConfirmed: boolean; confirm: (isConfirmed: boolean) => void } | null;
  goBack: () => void;
}

/** Restates the refund before the button that requests it. Escape goes back. */
export function ConfirmStep(props: ConfirmStepProps): ReactElement {
  const { amountText, slug, gameName, facts, estimate, reversal, needsApproval, isPaused, second, goBack } = props;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { period } = facts;
  const amount = formatUsd(estimate.refunded_amount_usd);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') goBack();
  };
  return (
    <section className={styles.confirm} aria-labelledby={`${id}-title`} onKeyDown={onKey}>
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1} className={styles.question}>
        Refund {amount}?
      </h2>
      <p>
        <bdi>{formatItem(period.item_name)}</bdi>, period {period.period_seq} ({formatPeriodDates(period)}), subscription{' '}
        <span className={styles.id}>{period.subscription_id}</span> in {gameName}. {formatTiming(needsApproval, isPaused)}
      </p>
      <Effects slug={slug} facts={facts} estimate={estimate} reversal={reversal} />
      {second !== null && (
        <Checkbox name="confirmedRisk" value={riskKey(second.risk) ?? ''} isChecked={second.isConfirmed} onCheck={second.confirm} isWarning>
          {formatRisk(second.risk).join(' ')}
        </Checkbox>
      )}
      {/* Nothing is requested without it: before the page's scripts run, the step before this one could be sent as well. */}
      <input type="hidden" name="confirmedAmount" value={amountText} />
      <FormButtons>
        <SubmitButton pendingWord="Checking with Invo…" isDisabled={second !== null && !second.isConfirmed}>
          {needsApproval ? `Request refund of ${amount}` : `Refund ${amount}`}
        </SubmitButton>
        <Button onPress={goBack}>Back</Button>
        {second !== null && !second.isConfirmed && (
          <Hint>Confirm {second.risk.wallet === null ? 'the dispute' : 'the effect on the wallet'} first.</Hint>
        )}
      </FormButtons>
    </section>
  );
}

function formatTiming(needsApproval: boolean, isPaused: boolean): string {
  if (needsApproval) return 'A second person must approve it before it is sent.';
  return isPaused ? 'It is sent to Invo when refunds resume.' : 'It is sent to Invo immediately and can’t be undone.';
}
