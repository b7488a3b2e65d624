import { type ReactElement, useState } from 'react';
import { Choices, Field } from '#app/_ui/forms/field.tsx';
import { FieldError, FieldGroup, Hint } from '#app/_ui/forms/form.tsx';
import { formatUsd, signOfMoney } from '#lib/core/money.ts';
import { REASON_LENGTH_MAX, type TypedAmountError } from '#lib/core/typed-input.ts';
import { estimateRefund } from '#lib/refunds/rules/estimate.ts';
import { parseRefundAmount } from '#lib/refunds/rules/limits.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';
import { parseRefundReason, REFUND_REASONS, type RefundReason } from '#lib/refunds/rules/refund.ts';
import type { RefundEstimate, RefundFacts } from '#lib/refunds/rules/stored.ts';
import { formatAmountError } from '#lib/refunds/text.ts';
import { REASON_TOO_LONG, type RefundFormState } from './form-state.ts';

interface FieldsProps {
  form: DraftWithEstimate;
  /** The form was sent or continued once: what is missing is shown. */
  isSubmitted: boolean;
  result: RefundFormState;
}

/** How much to refund: the full remaining amount, or a part. */
export function AmountField({ form, isSubmitted, result }: FieldsProps): ReactElement {
  const { draft, change, remaining } = form;
  const error = amountErrorOf({ form, isSubmitted, result });
  return (
    <FieldGroup legend="Refund amount">
      <Choices
        name="share"
        choices={[
          { value: 'rest', label: `Full remaining amount, ${formatUsd(remaining)}` },
          { value: 'part', label: 'Partial amount' },
        ]}
        chosen={draft.share}
        onChoose={(share) => change({ share })}
      />
      {draft.share === 'part' ? (
        <Field label="Amount (USD)" hint={formatDestination(form)} error={error} isAmount>
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              value={draft.typed}
              onChange={(event) => change({ typed: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <>
          <FieldError>{error}</FieldError>
          {error === null && <Hint>{formatDestination(form)}</Hint>}
        </>
      )}
    </FieldGroup>
  );
}

/** Where the money goes. */
function formatDestination({ draft, estimate }: DraftWithEstimate): string {
  if (estimate === null ? draft.share === 'part' : !estimate.is_full_refund)
    return 'Partial refunds are paid in coins, 10 per $1.00. Nothing goes to the card.';
  const card = estimate?.card_refunded_usd ?? null;
  if (card !== null && signOfMoney(card) === 0)
    return 'Completes the period. The wallet paid for it, so coins are returned and nothing goes to the card.';
  return estimate !== null && card === null
    ? 'Completes the period. The card refund is unknown; coins from earlier refunds are taken back.'
    : 'Completes the period. The full card charge is refunded; coins from earlier refunds are taken back.';
}

function amountErrorOf({ form, isSubmitted, result }: FieldsProps): string | null {
  const { error, estimate, remaining } = form;
  if (error !== null) return formatAmountError(error, remaining);
  if (isSubmitted && estimate === null) return formatAmountError('not_an_amount');
  return result.kind === 'refused' && result.at === 'amount' ? result.sentence : null;
}

/** Why it is refunded: a reason we count, and a text that Invo stores. */
export function ReasonFields({ form, isSubmitted, result }: FieldsProps): ReactElement {
  const { draft, change } = form;
  const length = draft.description.trim().length;
  const refused = result.kind === 'refused' && result.at === 'reason' ? result.sentence : null;
  return (
    <FieldGroup legend="Reason for the refund">
      <Field label="Reason" error={isSubmitted && draft.reason === '' ? 'Choose a reason.' : null}>
        {(control) => (
          <select
            {...control}
            name="reason"
            value={draft.reason}
            onChange={(event) => change({ reason: parseRefundReason(event.target.value) ?? '' })}
          >
            <option value="">Choose a reason</option>
            {Object.entries(REFUND_REASONS).map(([code, label]) => (
              <option key={code} value={code}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Description (optional)"
        hint="Invo stores this text. Don’t include names, emails or other personal data."
        error={length > REASON_LENGTH_MAX ? REASON_TOO_LONG : refused}
        count={`${length} of ${REASON_LENGTH_MAX}`}
      >
        {(control) => (
          <textarea
            {...control}
            name="description"
            rows={3}
            value={draft.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
    </FieldGroup>
  );
}

/** What has been filled in so far. */
interface Draft {
  /** The full remaining amount, or a part that is typed. */
  share: 'rest' | 'part';
  typed: string;
  reason: RefundReason | '';
  description: string;
  /** The risk to the wallet that was confirmed; another one must be confirmed again. */
  confirmedRisk: string | null;
}

/** The draft and its estimate. `estimate` is null while there is no amount to estimate; `error` says what is wrong with a typed one. */
export interface DraftWithEstimate {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  remaining: string;
  amountText: string;
  estimate: RefundEstimate | null;
  error: TypedAmountError | null;
}

const EMPTY: Draft = { share: 'rest', typed: '', reason: '', description: '', confirmedRisk: null };

/** Holds what is filled in while results arrive, and estimates it again with every change of the amount or of the facts. */
export function useDraft(facts: RefundFacts, when: { now: string; timeZone: string }): DraftWithEstimate {
  const [draft, setDraft] = useState(EMPTY);
  const remaining = remainingOf(facts.period) ?? '0.00';
  const amountText = draft.share === 'rest' ? remaining : draft.typed;
  const read = amountText.trim() === '' ? null : parseRefundAmount(amountText, facts.period);
  return {
    draft,
    change: (part) => setDraft((before) => ({ ...before, ...part })),
    remaining,
    amountText,
    estimate: read !== null && 'amount_usd' in read ? estimateRefund(facts, read.amount_usd, when) : null,
    error: read !== null && 'error' in read ? read.error : null,
  };
}
