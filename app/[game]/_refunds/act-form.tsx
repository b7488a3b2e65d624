'use client';

import { type ReactElement, type ReactNode } from 'react';
import { type ActionState, IDLE, LOST } from '#app/_server/action-state.ts';
import type { ButtonKind } from '#app/_ui/controls/button.tsx';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form } from '#app/_ui/forms/form.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import type { About } from '#app/_ui/forms/sent-along.tsx';
import { useAnswer } from '#app/_ui/forms/use-answer.ts';
import { FormAnswer } from '#app/_ui/words/form-answer.tsx';

export interface ActFormProps {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  about: About;
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
  const [state, send] = useAnswer(action, IDLE, LOST);
  return (
    <Form action={send} about={about} isShort>
      {children}
      {why && (
        <Field label={why.label}>
          {(control) => <textarea {...control} name="why" rows={2} maxLength={why.lengthMax} required={why.isRequired ?? false} />}
        </Field>
      )}
      <FormButtons>
        <SubmitButton kind={kind} pendingWord={pendingWord}>
          {word}
        </SubmitButton>
      </FormButtons>
      <FormAnswer state={state} />
    </Form>
  );
}
