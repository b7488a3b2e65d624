'use client';

import type { ReactElement } from 'react';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { MultiChoices, type MultiChoicesProps } from '#app/_ui/forms/choices.tsx';
import { FieldGroup, Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { FormStatus, useFormResult } from '#app/_ui/forms/form-result.tsx';
import { PasswordField } from '#app/_ui/forms/proof-fields.tsx';
import { requireFactorAction } from './actions.ts';

/** Chooses the roles that need two-factor authentication. */
export function RequirementForm({ roles }: { roles: MultiChoicesProps['choices'] }): ReactElement {
  const [state, send] = useFormResult(requireFactorAction);
  return (
    <Form action={send}>
      <FieldGroup legend="Required for">
        <MultiChoices choices={roles} />
      </FieldGroup>
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save requirement
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
