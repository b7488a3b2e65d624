'use client';

import type { ReactElement } from 'react';
import { TextField } from '../_ui/forms/field.tsx';
import { CodeField, Form, FormStatus, SubmitButton, usePostedForm } from '../_ui/forms/form.tsx';
import { enterCode, signIn, signInAsDemoPerson } from './actions.ts';
import styles from './forms.module.css';

/** Signs in by email and password. */
export function SignInForm({ next }: { next: string }): ReactElement {
  const [state, submit] = usePostedForm(signIn);
  return (
    <Form action={submit} about={{ next }}>
      <TextField name="email" label="Email" type="email" autoComplete="username" lengthMax={254} />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      <SubmitButton pendingWord="Signing in…">Sign in</SubmitButton>
      <FormStatus result={state} />
    </Form>
  );
}

/** The second step of a sign-in, for people with a second factor. */
export function CodeForm({ next }: { next: string }): ReactElement {
  const [state, submit] = usePostedForm(enterCode);
  return (
    <Form action={submit} about={{ next }}>
      <CodeField error={state.kind === 'invalid' ? state.fields.code : undefined} />
      <SubmitButton pendingWord="Signing in…">Sign in</SubmitButton>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}

export interface DemoChoice {
  email: string;
  name: string;
  roleLabel: string;
  /** What the role can do, in a sentence. */
  sentence: string;
}

/** Signs in as a demo person with one click. */
export function DemoPeopleForm({ people, next }: { people: DemoChoice[]; next: string }): ReactElement {
  const [state, submit, isPending] = usePostedForm(signInAsDemoPerson);
  return (
    <form action={submit}>
      <input type="hidden" name="next" value={next} />
      <ul className={styles.people}>
        {people.map((person) => (
          <li key={person.email}>
            <button type="submit" name="email" value={person.email} className={styles.person} disabled={isPending}>
              <span className={styles.name}>{person.name}</span>
              <span className={styles.role}>{person.roleLabel}</span>
              <span className={styles.may}>{person.sentence}</span>
            </button>
          </li>
        ))}
      </ul>
      <FormStatus result={state} />
    </form>
  );
}
