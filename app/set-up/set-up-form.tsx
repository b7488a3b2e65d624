'use client';

import type { ReactElement } from 'react';
import { TextField } from '../_ui/forms/field.tsx';
import { Form, FormStatus, SubmitButton, useFormResult } from '../_ui/forms/form.tsx';
import { setUp } from './actions.ts';

export interface SetUpFormProps {
  token: string;
  /** Whose password it is; null: the first admin, who enters their email here. */
  person: { name: string; email: string } | null;
  /** False: they keep the name they have. */
  asksName: boolean;
  passwordHint: string;
}

/** Sets the name and password of the person a link is for. */
export function SetUpForm({ token, person, asksName, passwordHint }: SetUpFormProps): ReactElement {
  const [state, submit] = useFormResult(setUp);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={submit} about={{ token }}>
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        lengthMax={254}
        error={errors.email}
        {...(person ? { defaultValue: person.email, isFixed: true } : {})}
      />
      {asksName && (
        <TextField
          name="name"
          label="Your name"
          autoComplete="name"
          lengthMax={80}
          error={errors.name}
          {...(person ? { defaultValue: person.name } : {})}
        />
      )}
      <TextField name="password" label="Password" type="password" autoComplete="new-password" hint={passwordHint} error={errors.password} />
      <TextField name="repeated" label="Repeat password" type="password" autoComplete="new-password" error={errors.repeated} />
      <SubmitButton pendingWord="Setting up…">Set password and sign in</SubmitButton>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
