'use client';

import type { ReactElement } from 'react';
import { Form, FormButtons, FormStatus, Hint, PasswordField, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import styles from '../../_run/run.module.css';
import { showDetailsAction } from '../actions.ts';

/** Shows payment details in full after the password. They are on this page alone, until it is left. */
export function ShowForm({ about }: { about: { game: string; recipientId: number; detailNo: number } }): ReactElement {
  const [state, send] = useFormResult(showDetailsAction);
  if (state.kind === 'shown')
    return (
      <dl className={styles.shown} aria-label="Payment details in full">
        {state.entries.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    );
  return (
    <Form action={send} about={about} isShort>
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Opening…">
          Show in full
        </SubmitButton>
      </FormButtons>
      <Hint>This view is recorded in the audit log.</Hint>
      <FormStatus result={state} />
    </Form>
  );
}
