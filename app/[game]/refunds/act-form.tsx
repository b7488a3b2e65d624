'use client';

import { type ReactElement, type ReactNode, useActionState, useId } from 'react';
import { type ActionState, IDLE } from '../../_server/action-state.ts';
import type { ButtonKind } from '../../_ui/controls/button.tsx';
import { SubmitButton } from '../../_ui/controls/submit-button.tsx';
import { FormAnswer } from '../../_ui/words/form-answer.tsx';
import styles from './act-form.module.css';

export interface ActFormProps {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  /** What the act is about; sent with it and not shown. */
  about: Record<string, string | number>;
  /** Names the act. */
  word: string;
  pendingWord: string;
  kind?: ButtonKind;
  /** Words that go with the act; left out: none do. */
  why?: { label: string; lengthMax: number; isRequired?: boolean };
  children?: ReactNode;
}

/** One act on refunds: what it does, words if it needs any, the button that names it, and what became of it. */
export function ActForm({ action, about, word, pendingWord, kind = 'plain', why, children }: ActFormProps): ReactElement {
  const [state, send] = useActionState(action, IDLE);
  const id = useId();
  return (
    // What was written stays when the act is refused.
    <form action={send} className={styles.form} onReset={(event) => event.preventDefault()}>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {why && (
        <div className={styles.field}>
          <label htmlFor={id} className={styles.label}>
            {why.label}
          </label>
          <textarea id={id} name="why" rows={2} maxLength={why.lengthMax} required={why.isRequired ?? false} className={styles.input} />
        </div>
      )}
      <div>
        <SubmitButton kind={kind} pendingWord={pendingWord}>
          {word}
        </SubmitButton>
      </div>
      <FormAnswer state={state} />
    </form>
  );
}
