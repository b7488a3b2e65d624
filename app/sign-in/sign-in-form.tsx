'use client';

import { type ReactElement, useActionState } from 'react';
import { IDLE } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { signIn } from './actions.ts';
import styles from './forms.module.css';
import { TextField } from './text-field.tsx';

/** E-mail and password. */
export function SignInForm({ next }: { next: string }): ReactElement {
  const [state, submit] = useActionState(signIn, IDLE);
  return (
    // A form that was refused keeps what was typed.
    <form action={submit} className={styles.form} onReset={(event) => event.preventDefault()}>
      <input type="hidden" name="next" value={next} />
      <TextField name="email" label="E-mail" type="email" autoComplete="username" lengthMax={254} />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      <SubmitButton pendingWord="Signing in…">Sign in</SubmitButton>
      <FormAnswer state={state} />
    </form>
  );
}
