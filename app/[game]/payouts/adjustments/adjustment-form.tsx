'use client';

import { type ReactElement, useState } from 'react';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { FormStatus, useFormResult } from '#app/_ui/forms/form-result.tsx';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '#lib/payouts/rules/policy.ts';
import { ADJUSTMENT_KIND_TEXT } from '#lib/payouts/text.ts';
import { proposeAction } from './actions.ts';

/** Proposes an adjustment of a recipient's balance. What was typed stays until it is stored. */
export function AdjustmentForm({ game }: { game: string }): ReactElement {
  const [state, send] = useFormResult(proposeAction);
  const [kind, setKind] = useState<AdjustmentKind>('correction');
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  const line = (name: string, label: string, hint?: string): ReactElement => (
    <Field label={label} hint={hint} error={errors[name]}>
      {(control) => <input {...control} name={name} autoComplete="off" maxLength={40} />}
    </Field>
  );
  return (
    <Form action={send} about={{ game }} isShort isEmptied={state.kind === 'done'}>
      <Field label="Kind" error={errors['kind']}>
        {(control) => (
          <select
            {...control}
            name="kind"
            value={kind}
            onChange={({ target }) => setKind(ADJUSTMENT_KINDS.find((each) => each === target.value) ?? 'correction')}
          >
            {ADJUSTMENT_KINDS.map((each) => (
              <option key={each} value={each}>
                {ADJUSTMENT_KIND_TEXT[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {line('recipientId', 'Recipient', 'Player ID.')}
      {kind === 'transfer' && line('toRecipientId', 'Other recipient', 'Player ID. Gets the opposite amount.')}
      {line('amount', 'Amount (USD)', 'Start with a minus sign to deduct it.')}
      <Field label="Reason" hint="Printed on the recipient’s statement." error={errors['reason']}>
        {(control) => <textarea {...control} name="reason" rows={3} maxLength={1_000} />}
      </Field>
      {line('runNo', 'Run it corrects', 'Optional. Run number.')}
      {line('periodId', 'Period it corrects', 'Optional. Period ID.')}
      <FormButtons>
        <SubmitButton pendingWord="Proposing…">Propose adjustment</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
