'use client';

import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { setRateAction } from './actions.ts';

interface RateFormProps {
  about: { game: string; runId: number };
  /** As it is stored; empty: none is. */
  rate: string;
  source: string;
}

/** The rate at which the SEPA payments of a draft are converted, and where it is from. Sharebook suggests none. */
export function RateForm({ about, rate, source }: RateFormProps): ReactElement {
  const [state, send] = useFormResult(setRateAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={about} isShort>
      <Field label="USD per EUR" hint="For example 1.0835." error={errors['rate']}>
        {(control) => <input {...control} name="rate" inputMode="decimal" autoComplete="off" defaultValue={rate} maxLength={12} />}
      </Field>
      <Field label="Source" hint="Who published it, and on which day." error={errors['source']}>
        {(control) => <input {...control} name="source" autoComplete="off" defaultValue={source} maxLength={200} />}
      </Field>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          {rate === '' ? 'Save rate' : 'Change rate'}
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
