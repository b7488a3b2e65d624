'use client';

import type { ReactElement } from 'react';
import { TextField } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { setSendFlowAction } from './actions.ts';

/** Sets Invo's word for a send that a phone approves. */
export function SendFlowForm({ slug, word }: { slug: string; word: string }): ReactElement {
  const [state, send] = useFormResult(setSendFlowAction);
  const error = state.kind === 'invalid' ? state.fields['word'] : undefined;
  return (
    <Form action={send} about={{ game: slug }} isShort>
      <TextField
        name="word"
        label="Word for a send"
        hint="Change it only if Invo refuses to ask the phone with INVALID_INPUT. Invo’s support knows the word. A wrong word moves nothing."
        autoComplete="off"
        lengthMax={40}
        defaultValue={word}
        error={error}
      />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save word
        </SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
