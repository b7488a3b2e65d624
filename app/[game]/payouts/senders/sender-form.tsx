'use client';

import { type ReactElement, useState } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { SENDER_METHOD_FIELDS, SENDER_METHODS, type SenderField, type SenderMethod } from '#lib/payments/rules/sender-entries.ts';
import { SENDER_CHOICES, SENDER_FIELD_TEXT, senderHint } from '#lib/payments/rules/sender-words.ts';
import { PAYMENT_METHOD_TEXT } from '#lib/payments/text.ts';
import { proposeSenderAction } from './actions.ts';

interface SenderFormProps {
  game: string;
  /** The method that the form begins with. */
  first: SenderMethod;
  /** Methods with a proposal that waits: another one is refused. */
  waiting: readonly SenderMethod[];
}

/** Entries that only apply together with an offset entry. */
const OFFSET_FIELDS: readonly SenderField[] = ['offset_routing_number', 'offset_account_number', 'offset_account_type'];

/** Proposes the account, or the settings, that files of one method are sent with. */
export function SenderForm({ game, first, waiting }: SenderFormProps): ReactElement {
  const [state, send] = useFormResult(proposeSenderAction);
  const [method, setMethod] = useState<SenderMethod>(first);
  const [isBalanced, setBalanced] = useState(false);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  const isWaiting = waiting.includes(method);
  const fields = SENDER_METHOD_FIELDS[method].filter((field) => isBalanced || !OFFSET_FIELDS.includes(field));
  return (
    <Form action={send} about={{ game }} isShort isEmptied={state.kind === 'done'}>
      <Field label="Method" hint={isWaiting ? 'A proposal for this method waits. Confirm or withdraw it first.' : undefined}>
        {(control) => (
          <select
            {...control}
            name="method"
            value={method}
            onChange={({ target }) => setMethod(SENDER_METHODS.find((each) => each === target.value) ?? first)}
          >
            {SENDER_METHODS.map((each) => (
              <option key={each} value={each}>
                {PAYMENT_METHOD_TEXT[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {fields.map((field) => (
        <Field
          key={`${method} ${field}`}
          label={field === 'account' && method === 'sepa' ? 'IBAN' : SENDER_FIELD_TEXT[field]}
          hint={senderHint(method, field)}
          error={errors[field]}
        >
          {(control) => {
            const choices = SENDER_CHOICES[field];
            if (choices !== undefined)
              return (
                <select
                  {...control}
                  name={field}
                  {...(field === 'balanced'
                    ? { value: isBalanced ? 'yes' : 'no', onChange: ({ target }) => setBalanced(target.value === 'yes') }
                    : {})}
                >
                  {choices.map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              );
            return field === 'template_header' ? (
              <textarea {...control} name={field} rows={3} maxLength={1_000} autoComplete="off" spellCheck={false} />
            ) : (
              <input {...control} name={field} autoComplete="off" spellCheck={false} maxLength={300} />
            );
          }}
        </Field>
      ))}
      <FormButtons>
        <SubmitButton pendingWord="Proposing…" isDisabled={isWaiting}>
          Propose sender account
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
