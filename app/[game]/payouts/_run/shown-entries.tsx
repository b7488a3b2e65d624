'use client';

import type { ReactElement } from 'react';
import {
  Form,
  FormButtons,
  type FormResult,
  FormStatus,
  type HiddenValues,
  Hint,
  PasswordField,
  type PasswordRequest,
  SubmitButton,
  useFormResult,
} from '#app/_ui/forms/form.tsx';
import styles from './run.module.css';

/** An account or rows in full, as labels and entries. */
export type ShowResult = FormResult<string, { kind: 'shown'; entries: { label: string; text: string }[] }>;

interface ShownEntriesProps {
  action: (state: ShowResult, form: FormData) => Promise<ShowResult>;
  about: HiddenValues;
  /** The name of the list of entries. */
  label: string;
  /** The label of its button. */
  opener?: string;
  /** The password request to show at once; null: none. */
  password?: PasswordRequest | null;
}

/** Shows accounts in full after the password. They are on this page alone, until it is left. */
export function ShownEntries({ action, about, label, opener = 'Show in full', password = null }: ShownEntriesProps): ReactElement {
  const [state, send] = useFormResult(action);
  if (state.kind === 'shown')
    return (
      <dl className={styles.shown} aria-label={label}>
        {state.entries.map(({ label: name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    );
  return (
    <Form action={send} about={about} isShort>
      <PasswordField result={state} request={password} />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Opening…">
          {opener}
        </SubmitButton>
      </FormButtons>
      <Hint>This view is recorded in the audit log.</Hint>
      <FormStatus result={state} />
    </Form>
  );
}
