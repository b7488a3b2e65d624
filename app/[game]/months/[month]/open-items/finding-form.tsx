'use client';

import type { ReactElement } from 'react';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { OUTCOME_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { noteUnattributedAction } from './actions.ts';

interface FindingFormProps {
  game: string;
  month: string;
  itemId: number;
  note: string | null;
  /** The name of the assignee, if it is another person. */
  other: string | null;
  isMine: boolean;
}

/** What was found out about one renewal without attribution, and who looks into it. */
export function FindingForm({ game, month, itemId, note, other, isMine }: FindingFormProps): ReactElement {
  const [state, send] = useFormResult(noteUnattributedAction);
  return (
    <Form action={send} about={{ game, month, itemId }} isShort>
      <Field label="Finding">
        {(control) => <textarea {...control} name="note" rows={2} maxLength={OUTCOME_LENGTH_MAX} defaultValue={note ?? ''} />}
      </Field>
      <Field label="Assignee">
        {(control) => (
          <select {...control} name="assignee" defaultValue={other === null ? (isMine ? 'me' : 'nobody') : 'same'}>
            {other !== null && <option value="same">{other}</option>}
            <option value="me">Me</option>
            <option value="nobody">Nobody</option>
          </select>
        )}
      </Field>
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save finding
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
