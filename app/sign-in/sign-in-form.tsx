'use client';

import { type ReactElement, useActionState } from 'react';
import { IDLE } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Form } from '../_ui/forms/form.tsx';
import { TextField } from '../_ui/forms/text-field.tsx';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { signIn } from './actions.ts';

/** E-mail and password. */
export function SignInForm({ next }: { next: string }): ReactElement {
  const [state, submit] = useActionState(signIn, IDLE);
  return (
    <Form action={submit} about={{ next }}>
      <TextField name="email" label="E-mail" type="email" autoComplete="username" lengthMax={254} />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      <SubmitButton pendingWord="Signing in…">Sign in</SubmitButton>
      <FormAnswer state={state} />
    </Form>
  );
}
