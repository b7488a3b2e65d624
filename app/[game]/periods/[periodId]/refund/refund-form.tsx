'use client';

import { clsx } from 'clsx';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { HiddenFields, Hint } from '#app/_ui/forms/form.tsx';
import { useFormResult } from '#app/_ui/forms/form-result.tsx';
import { Effects } from '#app/[game]/_refunds/effects.tsx';
import { formatUsd } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { previewReversal, type RefundEstimate, type ReversalPreview, walletRiskOf } from '#lib/refunds/rules/estimate.ts';
import { limitedAmountOf, limitOf, needsSecondApprover, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import type { PeriodFacts, RefundFacts } from '#lib/refunds/rules/period.ts';
import { formatSummary } from '#lib/refunds/text.ts';
import { requestRefundAction } from './actions.ts';
import { ConfirmStep } from './confirm-step.tsx';
import { AmountField, ReasonFields } from './fields.tsx';
import type { RefundFormState } from './form-state.ts';
import { FormNotice } from './notices.tsx';
import styles from './refund-form.module.css';
import { useDraft } from './use-draft.ts';

export interface RefundFormProps {
  game: { slug: string; name: string; timeZone: string };
  facts: RefundFacts;
  now: string;
  role: Role;
  /** USD by role, where an admin set them. */
  limits: RefundLimits;
  isPaused: boolean;
  /** Made with the page: however often the form is sent, it is one refund. */
  draftId: string;
  /** Digest of the facts shown on the page. */
  baseline: string;
}

/** The refund form in two steps: amount and reason with the estimated effects; then the confirmation that restates them. */
export function RefundForm({ game, facts, now, role, limits, isPaused, draftId, baseline }: RefundFormProps): ReactElement {
  const [result, send] = useFormResult(requestRefundAction);
  // The confirmation belongs to the result it was opened on: whatever the next result is, it closes.
  const [confirming, setConfirming] = useState<RefundFormState | null>(null);
  const isConfirming = confirming === result;
  const [isSubmitted, setSubmitted] = useState(false);
  const [sentOn, setSentOn] = useState<PeriodFacts | null>(null);
  const form = useDraft(facts, { now, timeZone: game.timeZone });
  const { draft, estimate } = form;
  const reversal = previewReversal(now, game.timeZone);
  const risk = estimate === null ? null : walletRiskOf(estimate);
  const submit = (event: FormEvent): void => {
    if (!isConfirming) event.preventDefault();
    setSubmitted(true);
    setSentOn(facts.period);
    const isFilledIn = estimate !== null && draft.reason !== '' && draft.words.trim().length <= REASON_LENGTH_MAX;
    if (!isConfirming && isFilledIn) setConfirming(result);
  };
  const needsApproval = estimate !== null && needsSecondApprover(role, limitedAmountOf(estimate), limits);
  return (
    <form action={send} onSubmit={submit} onReset={(event) => event.preventDefault()} className={styles.form} noValidate>
      <HiddenFields about={{ game: game.slug, periodId: facts.period.period_id, draftId, baseline, amount: form.amountText }} />
      <FormNotice slug={game.slug} result={result} sentOn={sentOn} now={facts.period} />
      <div className={styles.step} hidden={isConfirming}>
        <div className={styles.fields}>
          <AmountField form={form} isSubmitted={isSubmitted} result={result} />
          <ReasonFields form={form} isSubmitted={isSubmitted} result={result} />
          <ContinueButton
            hint={estimate === null ? null : formatApproval({ limit: limitOf(role, limits), needsApproval, isPaused })}
            label={estimate === null ? 'Refund…' : `Refund ${formatUsd(estimate.refunded_amount_usd)}…`}
            isReturned={isSubmitted && !isConfirming}
          />
        </div>
        <Preview slug={game.slug} facts={facts} estimate={estimate} reversal={reversal} />
      </div>
      {isConfirming && estimate !== null && (
        <ConfirmStep
          amountText={form.amountText}
          slug={game.slug}
          gameName={game.name}
          facts={facts}
          estimate={estimate}
          reversal={reversal}
          needsApproval={needsApproval}
          isPaused={isPaused}
          wallet={
            risk === null
              ? null
              : {
                  risk,
                  isConfirmed: draft.confirmedWallet === risk,
                  confirm: (isConfirmed) => form.change({ confirmedWallet: isConfirmed ? risk : null }),
                }
          }
          goBack={() => setConfirming(null)}
        />
      )}
    </form>
  );
}

interface ContinueButtonProps {
  hint: string | null;
  label: string;
  /** The confirmation was closed: the focus comes back here. */
  isReturned: boolean;
}

function ContinueButton({ hint, label, isReturned }: ContinueButtonProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const wasReturned = useRef(isReturned);
  useEffect(() => {
    if (isReturned && !wasReturned.current) place.current?.querySelector('button')?.focus();
    wasReturned.current = isReturned;
  }, [isReturned]);
  return (
    <div ref={place} className={styles.continue}>
      <Hint>{hint}</Hint>
      <Button kind="main" type="submit">
        {label}
      </Button>
    </div>
  );
}

/** Whether the refund needs a second approver, and when it is sent. */
function formatApproval({ limit, needsApproval, isPaused }: { limit: string | null; needsApproval: boolean; isPaused: boolean }): string {
  if (needsApproval)
    return limit === null
      ? 'Needs a second approver: your role has no auto-approval limit.'
      : `Needs a second approver: your auto-approval limit is ${formatUsd(limit)} in total per period.`;
  return `Within your auto-approval limit of ${formatUsd(limit ?? '0')}. It is sent ${isPaused ? 'when refunds resume' : 'as soon as you confirm'}.`;
}

interface PreviewProps {
  slug: string;
  facts: RefundFacts;
  estimate: RefundEstimate | null;
  reversal: ReversalPreview;
}

/** The estimated effects as the amount is typed; the headline says whether the refund completes the period. */
function Preview({ slug, facts, estimate, reversal }: PreviewProps): ReactElement {
  return (
    <section className={clsx(styles.preview, estimate?.is_full_refund && styles.completes)} aria-label="Estimated effects">
      <h2 className={styles.previewHead}>Estimated effects</h2>
      <p className={styles.sum} role="status">
        {estimate === null ? 'Enter an amount to see the estimated effects.' : formatSummary(estimate)}
      </p>
      {estimate !== null && <Effects slug={slug} facts={facts} estimate={estimate} reversal={reversal} />}
    </section>
  );
}
