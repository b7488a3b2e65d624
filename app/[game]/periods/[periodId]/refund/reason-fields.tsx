import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup } from '#app/_ui/forms/field-group.tsx';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { parseRefundReason, REFUND_REASONS } from '#lib/refunds/rules/request.ts';
import type { RefundFormState } from './form-state.ts';
import type { DraftInHand } from './use-draft.ts';

/** Why it is given back: one of the reasons we count, and words of one's own that Invo keeps. */
export function ReasonFields({ hand, isAsked, answer }: { hand: DraftInHand; isAsked: boolean; answer: RefundFormState }): ReactElement {
  const { draft, change } = hand;
  const length = draft.words.trim().length;
  return (
    <FieldGroup legend="Why">
      <Field label="Reason" fault={isAsked && draft.reason === '' ? 'Choose a reason.' : null}>
        {(control) => (
          <select
            {...control}
            name="reason"
            value={draft.reason}
            onChange={(event) => change({ reason: parseRefundReason(event.target.value) ?? '' })}
          >
            <option value="">Choose a reason</option>
            {Object.entries(REFUND_REASONS).map(([code, words]) => (
              <option key={code} value={code}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="In your words, if there is more to say"
        hint="Invo keeps this text: no names, e-mails or other personal data."
        fault={length > REASON_LENGTH_MAX ? TOO_LONG : answer.kind === 'refused' && answer.at === 'reason' ? answer.sentence : null}
        count={`${length} of ${REASON_LENGTH_MAX}`}
      >
        {(control) => (
          <textarea {...control} name="words" rows={3} value={draft.words} onChange={(event) => change({ words: event.target.value })} />
        )}
      </Field>
    </FieldGroup>
  );
}

const TOO_LONG = `Invo keeps ${REASON_LENGTH_MAX} characters at most: shorten these words.`;
