'use client';

import { type ReactElement, useState } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { type DetailField, HOLDER_KINDS, METHOD_FIELDS, METHODS, type Method } from '#lib/payees/rules/details.ts';
import { FIELD_HINTS, FIELD_TEXT, HOLDER_KIND_TEXT, METHOD_TEXT } from '#lib/payees/text.ts';
import { proposeDetailsAction } from '../actions.ts';

const CHOICES: Readonly<Partial<Record<DetailField, readonly (readonly [string, string])[]>>> = {
  holder_kind: HOLDER_KINDS.map((kind) => [kind, HOLDER_KIND_TEXT[kind]] as const),
  account_type: [
    ['checking', 'Checking'],
    ['savings', 'Savings'],
  ],
};

/** Proposes payment details by one method. What was typed stays until it is stored. */
export function DetailsForm({ about }: { about: { game: string; recipientId: number } }): ReactElement {
  const [state, send] = useFormResult(proposeDetailsAction);
  const [method, setMethod] = useState<Method>('paypal');
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={about} isShort isEmptied={state.kind === 'done'}>
      <Field label="Method" error={errors['method']}>
        {(control) => (
          <select
            {...control}
            name="method"
            value={method}
            onChange={({ target }) => setMethod(METHODS.find((each) => each === target.value) ?? 'paypal')}
          >
            {METHODS.map((each) => (
              <option key={each} value={each}>
                {METHOD_TEXT[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {METHOD_FIELDS[method].map((field) => (
        <Field key={`${method} ${field}`} label={FIELD_TEXT[field]} hint={FIELD_HINTS[`${method}.${field}`]} error={errors[field]}>
          {(control) =>
            CHOICES[field] === undefined ? (
              <input {...control} name={field} autoComplete="off" spellCheck={false} maxLength={300} />
            ) : (
              <select {...control} name={field}>
                {CHOICES[field].map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )
          }
        </Field>
      ))}
      <Field label="Reason" hint="How you know it, for the person who confirms." error={errors['reason']}>
        {(control) => <textarea {...control} name="reason" rows={2} maxLength={500} />}
      </Field>
      <FormButtons>
        <SubmitButton pendingWord="Proposing…">Propose payment details</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
