'use client';

import { type ReactElement, useState } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, Hint, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { REPORTED_STATES } from '#lib/payments/rules/reported-states.ts';
import { ITEM_STATE_TEXT } from '#lib/payments/text.ts';
import { acceptRowAction } from './actions.ts';

interface AcceptFormProps {
  about: { game: string; reportNo: number; rowNo: number };
  /** The payment that the row names; null: none, or several. */
  reference: string | null;
  /** It is about a whole file. */
  isOfFile: boolean;
  /** The report's word isn't known, so the person chooses what it means. */
  isWordUnknown: boolean;
  /** Its date is before that of what it changes. */
  isDateContrary: boolean;
  /** Whether the report has amounts, which are compared. */
  hasAmounts: boolean;
  /** What it does where its amount differs from that of the payment it names; null: nothing else. */
  effect: string | null;
}

type Target = 'named' | 'reference' | 'batch';

/** Accepts a row for the payment that it names, for another one, or for all payments of a file. */
export function AcceptForm({
  about,
  reference,
  isOfFile,
  isWordUnknown,
  isDateContrary,
  hasAmounts,
  effect,
}: AcceptFormProps): ReactElement {
  const [state, send] = useFormResult(acceptRowAction);
  const [target, setTarget] = useState<Target>(reference !== null ? 'named' : isOfFile ? 'batch' : 'reference');
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={about} isShort>
      <Hint>
        The row then confirms what you choose here. {effect !== null && target === 'named' && `${effect} `}
        {isDateContrary && 'Its own date would change nothing, so it counts from today at the earliest. '}This can’t be undone.
      </Hint>
      <Field label="Confirms" error={errors['target']}>
        {(control) => (
          <select
            {...control}
            name="target"
            value={target}
            onChange={({ target: { value } }) => setTarget(value === 'batch' || value === 'reference' ? value : 'named')}
          >
            {reference !== null && <option value="named">Payment {reference}</option>}
            <option value="reference">{reference === null ? 'A payment' : 'Another payment'}</option>
            <option value="batch">All payments of a file</option>
          </select>
        )}
      </Field>
      {target === 'reference' && (
        <Field label="Payment reference" hint={`Ten letters and digits.${hasAmounts ? ' The row must have its amount.' : ''}`}>
          {(control) => <input {...control} name="reference" autoComplete="off" spellCheck={false} maxLength={20} required />}
        </Field>
      )}
      {target === 'batch' && (
        <Field
          label="File number"
          hint={`As the run’s Payments tab shows it. ${hasAmounts ? 'The row must have its total.' : 'This report has no amounts, so check which file it answers.'}`}
        >
          {(control) => <input {...control} name="batchNo" inputMode="numeric" autoComplete="off" maxLength={10} required />}
        </Field>
      )}
      {isWordUnknown && (
        <Field label="Status of the row" hint="What the report’s own word means." error={errors['state']}>
          {(control) => (
            <select {...control} name="state" defaultValue="">
              <option value="">Choose</option>
              {REPORTED_STATES.map((each) => (
                <option key={each} value={each}>
                  {ITEM_STATE_TEXT[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label="Note" hint="Why you know it. Don’t write an account here." error={errors['note']}>
        {(control) => <textarea {...control} name="note" rows={2} maxLength={500} />}
      </Field>
      <FormButtons>
        <SubmitButton pendingWord="Accepting…">Accept row</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
