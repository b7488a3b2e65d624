'use client';

import { type ReactElement, useActionState } from 'react';
import { IDLE } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Form } from '../_ui/forms/form.tsx';
import { TextField } from '../_ui/forms/text-field.tsx';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { setUp } from './actions.ts';

export interface SetUpFormProps {
  token: string;
  /** Whose password it is; null: the first admin, who enters their email here. */
  person: { name: string; email: string } | null;
  passwordHint: string;
}

/** Sets the name and password of the person a link is for. */
export function SetUpForm({ token, person, passwordHint }: SetUpFormProps): ReactElement {
  const [state, submit] = useActionState(setUp, IDLE);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={submit} about={{ token }}>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        lengthMax={254}
        fault={errors.email}
        {...(person ? { defaultValue: person.email, isFixed: true } : {})}
      />
      <TextField
        name="name"
        label="Your name"
        autoComplete="name"
        lengthMax={80}
        fault={errors.name}
        {...(person ? { defaultValue: person.name } : {})}
      />
      <TextField name="password" label="Password" type="password" autoComplete="new-password" hint={passwordHint} fault={errors.password} />
      <TextField name="repeated" label="Repeat password" type="password" autoComplete="new-password" fault={errors.repeated} />
      <SubmitButton pendingWord="Setting up…">Set password and sign in</SubmitButton>
      {state.kind !== 'invalid' && <FormAnswer state={state} />}
    </Form>
  );
}
