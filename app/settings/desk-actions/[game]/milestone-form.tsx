'use client';

import type { ReactElement } from 'react';
import { Choices, TextField } from '#app/_ui/forms/field.tsx';
import { FieldGroup, Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { MILESTONE_EVENTS } from '#lib/actions/rules/kinds.ts';
import { MILESTONE_EVENT_TEXT } from '#lib/actions/text.ts';
import { addMilestoneAction } from './actions.ts';

/** Adds the name of a milestone of a game. */
export function MilestoneForm({ slug }: { slug: string }): ReactElement {
  const [state, send] = useFormResult(addMilestoneAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={send} about={{ game: slug }} isShort>
      <FieldGroup legend="Event">
        <Choices
          name="eventType"
          chosen={MILESTONE_EVENTS[0]}
          choices={MILESTONE_EVENTS.map((value) => ({ value, label: MILESTONE_EVENT_TEXT[value], note: value }))}
        />
      </FieldGroup>
      <TextField
        name="name"
        label="Name at Invo"
        hint="Exactly as it is registered."
        autoComplete="off"
        lengthMax={100}
        error={errors.name}
      />
      <TextField
        name="label"
        label="Label"
        hint="What people of the studio call it."
        autoComplete="off"
        lengthMax={100}
        error={errors.label}
      />
      <FormButtons>
        <SubmitButton pendingWord="Adding…">Add milestone</SubmitButton>
      </FormButtons>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
    </Form>
  );
}
