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

export interface ActionFormProps {
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  about: About;
  /** Label of the button. */
  label: string;
  pendingLabel: string;
  kind?: ButtonKind;
  /** A text to fill in, sent as `why`; left out: none. */
  note?: { label: string; lengthMax: number; isRequired?: boolean };
  children?: ReactNode;
}

/** One action on refunds: what it does, a text if it needs one, the button that names it, and its result. */
export function ActionForm({ action, about, label, pendingLabel, kind = 'plain', note, children }: ActionFormProps): ReactElement {
  const [state, send] = useAnswer(action, IDLE, LOST);
  return (
    <Form action={send} about={about} isShort>
      {children}
      {note && (
        <Field label={note.label}>
          {(control) => <textarea {...control} name="why" rows={2} maxLength={note.lengthMax} required={note.isRequired ?? false} />}
        </Field>
      )}
      <FormButtons>
        <SubmitButton kind={kind} pendingWord={pendingLabel}>
          {label}
        </SubmitButton>
      </FormButtons>
      <FormAnswer state={state} />
    </Form>
  );
}
