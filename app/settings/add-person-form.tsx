'use client';

import { type ReactElement } from 'react';
import { IDLE, LOST } from '../_server/action-state.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Form } from '../_ui/forms/form.tsx';
import { TextField } from '../_ui/forms/text-field.tsx';
import { useAnswer } from '../_ui/forms/use-answer.ts';
import { addPersonAction } from './actions.ts';
import { AnswerWithLink } from './answer-with-link.tsx';
import { RoleField } from './role-field.tsx';

/** Somebody new: address, name, role. */
export function AddPersonForm(): ReactElement {
  const [state, submit] = useAnswer(addPersonAction, IDLE, LOST);
  const faults: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={submit} isEmptied={state.kind === 'done'}>
      <TextField name="email" label="E-mail" type="email" autoComplete="off" lengthMax={254} fault={faults.email} />
      <TextField name="name" label="Name" autoComplete="off" lengthMax={80} fault={faults.name} />
      <RoleField role="viewer" />
      <SubmitButton pendingWord="Adding…">Add this person</SubmitButton>
      <AnswerWithLink state={state} />
    </Form>
  );
}
