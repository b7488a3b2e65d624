import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import { Hint } from '#app/_ui/forms/hint.tsx';
import { Tick } from '#app/_ui/forms/tick.tsx';
import { Effects } from '#app/[game]/_refunds/effects/effects.tsx';
import { sayWalletRisk } from '#app/[game]/_refunds/effects/say-wallet-risk.ts';
import { sayPeriodSpan } from '#app/[game]/_refunds/words/period-words.ts';
import { formatMoney } from '#lib/core/money.ts';
import type { RefundEstimate, ReversalPreview } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import styles from './refund-form.module.css';

export interface ConfirmStepProps {
  /** As it was typed: what is confirmed is what is sent. */
  amountText: string;
  slug: string;
  gameName: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  reversal: ReversalPreview;
  wantsSecond: boolean;
  isStopped: boolean;
  /** The second confirmation, where the wallet goes below zero or may; null: none is due. */
  wallet: { risk: string; isConfirmed: boolean; confirm: (isConfirmed: boolean) => void } | null;
  goBack: () => void;
}

/** Restates the whole act before the button that does it. Escape goes back. */
export function ConfirmStep({
  amountText,
  slug,
  gameName,
  facts,
  estimate,
  reversal,
  wantsSecond,
  isStopped,
  wallet,
  goBack,
}: ConfirmStepProps): ReactElement {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { period } = facts;
  const amount = `${formatMoney(estimate.refunded_amount_usd)} USD`;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') goBack();
  };
  return (
    <section className={styles.confirm} aria-labelledby={`${id}-title`} onKeyDown={onKey}>
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1} className={styles.question}>
        Refund {amount}?
      </h2>
      <p>
        Of <bdi>{period.item_name ?? 'an item without a name'}</bdi>, period number {period.period_seq} ({sayPeriodSpan(period)}),
        subscription <span className={styles.id}>{period.subscription_id}</span> in {gameName}. {sayWhen(wantsSecond, isStopped)}
      </p>
      <Effects slug={slug} facts={facts} estimate={estimate} reversal={reversal} />
      {wallet !== null && (
        <Tick name="confirmedWallet" value={wallet.risk} isTicked={wallet.isConfirmed} onTick={wallet.confirm} isGrave>
          {sayWalletRisk(wallet.risk)}
        </Tick>
      )}
      {/* Nothing is asked for without it: before the page's scripts run, the step before this one could be sent as well. */}
      <input type="hidden" name="confirmedAmount" value={amountText} />
      <FormButtons>
        <SubmitButton pendingWord="Asking Invo once more…" isDisabled={wallet !== null && !wallet.isConfirmed}>
          {wantsSecond ? `Ask to refund ${amount}` : `Refund ${amount}`}
        </SubmitButton>
        <Button onPress={goBack}>Go back</Button>
        {wallet !== null && !wallet.isConfirmed && <Hint>Tick the line above first.</Hint>}
      </FormButtons>
    </section>
  );
}

function sayWhen(wantsSecond: boolean, isStopped: boolean): string {
  if (wantsSecond) return 'A second person has to approve it before it is sent.';
  return isStopped ? 'It is sent to Invo once the stop is lifted.' : 'It is sent to Invo at once and cannot be taken back.';
}
