'use client';

import type { ReactElement } from 'react';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { FormStatus, useFormResult } from '#app/_ui/forms/form-result.tsx';
import { setMinimumAction } from './actions.ts';

interface MinimumFormProps {
  about: { game: string; recipientId: number };
  /** USD; null: as the policy has it. */
  minimum_usd: string | null;
}

/** The least that is paid to a recipient at once. */
export function MinimumForm({ about, minimum_usd }: MinimumFormProps): ReactElement {
  const [state, send] = useFormResult(setMinimumAction);
  return (
    <Form action={send} about={about} isShort>
      <Field
        label="Minimum payout (USD)"
        hint="Leave empty to use the policy’s minimum. Smaller amounts are carried forward."
        error={state.kind === 'invalid' ? state.fields['minimum'] : null}
      >
        {(control) => (
          <input {...control} name="minimum" defaultValue={minimum_usd ?? ''} inputMode="decimal" autoComplete="off" maxLength={40} />
        )}
      </Field>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save minimum
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
