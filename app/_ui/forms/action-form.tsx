'use client';

import type { ReactElement, ReactNode } from 'react';
import type { ButtonKind } from '../controls/button.tsx';
import { SubmitButton } from '../controls/submit-button.tsx';
import { Field } from './field.tsx';
import { Form, FormButtons, type HiddenValues } from './form.tsx';
import { type FormResult, FormStatus, useFormResult } from './form-result.tsx';
import { PasswordField } from './proof-fields.tsx';

export interface ActionFormProps {
  action: (state: FormResult, form: FormData) => Promise<FormResult>;
  about: HiddenValues;
  /** Label of the button. */
  label: string;
  pendingLabel: string;
  kind?: ButtonKind;
  /** A text to fill in, sent as `why`; left out: none. */
  note?: { label: string; lengthMax: number; isRequired?: boolean };
  children?: ReactNode;
}

/** One action: what it does, a text and the password if it needs them, the button that names it, and its result. */
export function ActionForm({ action, about, label, pendingLabel, kind = 'plain', note, children }: ActionFormProps): ReactElement {
  const [state, send] = useFormResult(action);
  return (
    <Form action={send} about={about} isShort>
      {children}
      {note && (
        <Field label={note.label}>
          {(control) => <textarea {...control} name="why" rows={2} maxLength={note.lengthMax} required={note.isRequired ?? false} />}
        </Field>
      )}
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind={kind} pendingWord={pendingLabel}>
          {label}
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
