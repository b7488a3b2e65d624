'use client';

import { clsx } from 'clsx';
import { type FormEvent, type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatItem } from '#app/_ui/figures/format.ts';
import { Checkbox } from '#app/_ui/forms/field.tsx';
import { FormButtons, HiddenFields, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Effects, type EffectsProps, formatPeriodDates } from '#app/[game]/_refunds/effects.tsx';
import { dayLimitOf, limitOf, overLimitOf, type PersonLimits } from '#lib/approvals/rules/approval.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { Role } from '#lib/core/roles.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { previewReversal, type ReversalPreview, riskKey, riskOf } from '#lib/refunds/rules/estimate.ts';
import { limitedAmountsOf } from '#lib/refunds/rules/limits.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts } from '#lib/refunds/rules/stored.ts';
import { formatChanges, formatRisk, formatSummary } from '#lib/refunds/text.ts';
import { requestRefundAction } from './actions.ts';
import { AmountField, type DraftWithEstimate, ReasonFields, useDraft } from './fields.tsx';
import type { RefundFormState } from './form-state.ts';
import styles from './refund-form.module.css';

interface RefundFormProps {
  game: { slug: string; name: string; timeZone: string };
  facts: RefundFacts;
  now: string;
  roles: readonly Role[];
  /** What the person's limits are held against. */
  limits: PersonLimits;
  isPaused: boolean;
  /** Made with the page: however often the form is sent, it is one refund. */
  draftId: string;
  /** Digest of the facts shown on the page. */
  baseline: string;
}

/** The refund form in two steps: amount and reason with the estimated effects; then the confirmation that restates them. */
export function RefundForm({ game, facts, now, roles, limits, isPaused, draftId, baseline }: RefundFormProps): ReactElement {
  const [result, send] = useFormResult(requestRefundAction);
  // The confirmation belongs to the result it was opened on: whatever the next result is, it closes.
  const [confirming, setConfirming] = useState<RefundFormState | null>(null);
  const isConfirming = confirming === result;
  const [isSubmitted, setSubmitted] = useState(false);
  const [sentOn, setSentOn] = useState<PeriodFacts | null>(null);
  const form = useDraft(facts, { now, timeZone: game.timeZone });
  const { draft, estimate } = form;
  const reversal = previewReversal(now, game.timeZone);
  const submit = (event: FormEvent): void => {
    if (!isConfirming) event.preventDefault();
    setSubmitted(true);
    setSentOn(facts.period);
    const isFilledIn = estimate !== null && draft.reason !== '' && draft.description.trim().length <= REASON_LENGTH_MAX;
    if (!isConfirming && isFilledIn) setConfirming(result);
  };
  const over = estimate === null ? null : overLimitOf('refunds', roles, limitedAmountsOf(estimate), limits);
  return (
    <form action={send} onSubmit={submit} onReset={(event) => event.preventDefault()} className={styles.form} noValidate>
      <HiddenFields about={{ game: game.slug, periodId: facts.period.period_id, draftId, baseline, amount: form.amountText }} />
      <FormNotice slug={game.slug} result={result} sentOn={sentOn} now={facts.period} />
      <div className={styles.step} hidden={isConfirming}>
        <div className={styles.fields}>
          <AmountField form={form} isSubmitted={isSubmitted} result={result} />
          <ReasonFields form={form} isSubmitted={isSubmitted} result={result} />
          <ContinueButton
            hint={estimate === null ? null : formatApproval({ over, roles, limits, isPaused })}
            label={estimate === null ? 'Refund…' : `Refund ${formatUsd(estimate.refunded_amount_usd)}…`}
            isReturned={isSubmitted && !isConfirming}
          />
        </div>
        <Preview slug={game.slug} facts={facts} estimate={estimate} reversal={reversal} />
      </div>
      {isConfirming && estimate !== null && (
        <ConfirmStep
          game={game}
          facts={facts}
          form={form}
          estimate={estimate}
          reversal={reversal}
          needsApproval={over !== null}
          isPaused={isPaused}
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
  const section = useRef<HTMLDivElement>(null);
  const wasReturned = useRef(isReturned);
  useEffect(() => {
    if (isReturned && !wasReturned.current) section.current?.querySelector('button')?.focus();
    wasReturned.current = isReturned;
  }, [isReturned]);
  return (
    <div ref={section} className={styles.continue}>
      <Hint>{hint}</Hint>
      <Button kind="main" type="submit">
        {label}
      </Button>
    </div>
  );
}

interface ApprovalNeed extends Pick<RefundFormProps, 'roles' | 'limits' | 'isPaused'> {
  over: ReturnType<typeof overLimitOf>;
}

/** Whether the refund needs a second approver, and when it is sent. */
function formatApproval({ over, roles, limits: { limits, dayBefore }, isPaused }: ApprovalNeed): string {
  const limit = limitOf('refunds', roles, limits);
  if (limit === null) return 'Needs a second approver: your role has no auto-approval limit.';
  if (over === 'one') return `Needs a second approver: your auto-approval limit is ${formatUsd(limit)} in total per period.`;
  if (over === 'day')
    return `Needs a second approver: ${formatUsd(dayBefore)} of yours was approved automatically in the last 24 hours, and the limit is ${formatUsd(dayLimitOf('refunds', roles, limits) ?? '0')}.`;
  return `Within your auto-approval limit of ${formatUsd(limit)}. It is sent ${isPaused ? 'when refunds resume' : 'as soon as you confirm'}.`;
}

interface PreviewProps extends Omit<EffectsProps, 'estimate'> {
  estimate: RefundEstimate | null;
}

/** The estimated effects as the amount is typed; the headline says whether the refund completes the period. */
function Preview({ estimate, ...about }: PreviewProps): ReactElement {
  return (
    <section className={clsx(styles.preview, estimate?.is_full_refund && styles.completes)} aria-label="Estimated effects">
      <h2 className={styles.previewHead}>Estimated effects</h2>
      <p className={styles.sum} role="status">
        {estimate === null ? 'Enter an amount to see the estimated effects.' : formatSummary(estimate)}
      </p>
      {estimate !== null && <Effects {...about} estimate={estimate} />}
    </section>
  );
}

interface FormNoticeProps {
  slug: string;
  result: RefundFormState;
  /** The period as it was when the form was sent, and as it is on the page now. */
  sentOn: PeriodFacts | null;
  now: PeriodFacts;
}

/** Why the refund was not requested, where it is not about one field; announced when it appears. */
function FormNotice(props: FormNoticeProps): ReactElement {
  return <div role="alert">{noticeOf(props)}</div>;
}

function noticeOf({ slug, result, sentOn, now }: FormNoticeProps): ReactElement | null {
  switch (result.kind) {
    // A refund that was stored leads to its page, and no field is refused by name.
    case 'idle':
    case 'done':
    case 'invalid':
    case 'password':
      return null;
    case 'refused':
      return result.at === undefined || result.at === 'button' || result.at === 'risk' ? (
        <Notice voice="bad" title="The refund was not requested">
          {result.sentence}
        </Notice>
      ) : null;
    case 'changed': {
      const changes = sentOn === null ? [] : formatChanges(sentOn, now);
      return (
        <Notice voice="wait" title="The period changed at Invo, so the refund was not requested">
          {changes.length === 0 ? 'The page now shows Invo’s current data.' : changes.join(' ')} Check the amount and confirm again.
        </Notice>
      );
    }
    case 'another_open':
      return (
        <Notice
          voice="wait"
          title="This period already has an open refund, so this one was not requested"
          actions={<LinkButton href={`/${slug}/refunds/${result.refundId}`}>View refund {result.refundId}</LinkButton>}
        >
          A period can have one open refund at a time. Check the outcome of the open one first.
        </Notice>
      );
    case 'lost':
      return (
        <Notice voice="wait" title="We couldn’t confirm whether the refund was requested">
          Your entries are still here. Confirm again: this form creates one refund, however often you send it, and opens it.
        </Notice>
      );
    case 'failed':
      return (
        <Notice
          voice="bad"
          title="The period couldn’t be read from Invo, so the refund was not requested"
          actions={result.errorId ? <CopyButton text={result.errorId} what="reference" /> : null}
        >
          {result.sentence} Nothing was sent. Your entries are still here.
        </Notice>
      );
  }
}

interface ConfirmStepProps extends Pick<RefundFormProps, 'game' | 'facts' | 'isPaused'> {
  form: DraftWithEstimate;
  estimate: RefundEstimate;
  reversal: ReversalPreview;
  needsApproval: boolean;
  goBack: () => void;
}

/** Restates the refund before the button that requests it. Escape goes back. */
function ConfirmStep({ game, facts, form, estimate, reversal, needsApproval, isPaused, goBack }: ConfirmStepProps): ReactElement {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { period } = facts;
  const amount = formatUsd(estimate.refunded_amount_usd);
  // The second confirmation, where the wallet may go below zero or the charge is disputed; null: none is due.
  const risk = riskOf(period, estimate);
  const isConfirmed = form.draft.confirmedRisk === riskKey(risk);
  const confirm = (isChecked: boolean): void => form.change({ confirmedRisk: isChecked ? riskKey(risk) : null });
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
        <span className={styles.id}>{period.subscription_id}</span> in {game.name}. {formatTiming(needsApproval, isPaused)}
      </p>
      <Effects slug={game.slug} facts={facts} estimate={estimate} reversal={reversal} />
      {risk !== null && (
        <Checkbox name="confirmedRisk" value={riskKey(risk) ?? ''} isChecked={isConfirmed} onCheck={confirm} isWarning>
          {formatRisk(risk).join(' ')}
        </Checkbox>
      )}
      {/* As it was typed: what is confirmed is what is sent. Before the page's scripts run, the step before this one could be sent as well. */}
      <input type="hidden" name="confirmedAmount" value={form.amountText} />
      <FormButtons>
        <SubmitButton pendingWord="Checking with Invo…" isDisabled={risk !== null && !isConfirmed}>
          {needsApproval ? `Request refund of ${amount}` : `Refund ${amount}`}
        </SubmitButton>
        <Button onPress={goBack}>Back</Button>
        {risk !== null && !isConfirmed && <Hint>Confirm {risk.wallet === null ? 'the dispute' : 'the effect on the wallet'} first.</Hint>}
      </FormButtons>
    </section>
  );
}

function formatTiming(needsApproval: boolean, isPaused: boolean): string {
  if (needsApproval) return 'A second person must approve it before it is sent.';
  return isPaused ? 'It is sent to Invo when refunds resume.' : 'It is sent to Invo immediately and can’t be undone.';
}
