'use client';

import { type ReactElement, type ReactNode } from 'react';
import type { Role } from '#lib/core/roles.ts';
import { type ActionState, IDLE, LOST } from '../_server/action-state.ts';
import type { ButtonKind } from '../_ui/controls/button.tsx';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Form } from '../_ui/forms/form.tsx';
import { FormButtons } from '../_ui/forms/form-buttons.tsx';
import { useAnswer } from '../_ui/forms/use-answer.ts';
import { changeRoleAction, disablePersonAction, enablePersonAction, newLinkAction } from './actions.ts';
import { AnswerWithLink } from './answer-with-link.tsx';
import styles from './person-forms.module.css';
import { RoleField } from './role-field.tsx';

export interface ManagedPerson {
  id: string;
  name: string;
  email: string;
  role: Role;
  isDisabled: boolean;
}

/** What an admin may change about one person. */
export function PersonForms({ person }: { person: ManagedPerson }): ReactElement {
  return (
    <>
      <p className={styles.email}>{person.email}</p>
      <PersonForm personId={person.id} action={changeRoleAction} kind="main" word="Change the role" pendingWord="Changing…">
        <RoleField role={person.role} />
        <p className={styles.words}>A new role signs them out everywhere.</p>
      </PersonForm>
      {!person.isDisabled && (
        <PersonForm personId={person.id} action={newLinkAction} kind="plain" word="Make a password link" pendingWord="Making a link…">
          <h3>Password</h3>
          <p className={styles.words}>Makes a link by which they set a new password. The one they have works until then.</p>
        </PersonForm>
      )}
      {person.isDisabled ? (
        <PersonForm
          personId={person.id}
          action={enablePersonAction}
          kind="plain"
          word={`Let ${person.name} in again`}
          pendingWord="Letting in…"
        >
          <h3>Disabled</h3>
          <p className={styles.words}>They cannot sign in. Letting them in again gives them back their role and their password.</p>
        </PersonForm>
      ) : (
        <PersonForm
          personId={person.id}
          action={disablePersonAction}
          kind="danger"
          word={`Disable ${person.name}`}
          pendingWord="Disabling…"
        >
          <h3>Leaving</h3>
          <p className={styles.words}>
            Signs {person.name} ({person.email}) out everywhere, closes their links and lets them in no more. What they did stays on record.
          </p>
        </PersonForm>
      )}
    </>
  );
}

interface PersonFormProps {
  personId: string;
  action: (state: ActionState, form: FormData) => Promise<ActionState>;
  kind: ButtonKind;
  word: string;
  pendingWord: string;
  children: ReactNode;
}

function PersonForm({ personId, action, kind, word, pendingWord, children }: PersonFormProps): ReactElement {
  const [state, submit] = useAnswer(action, IDLE, LOST);
  return (
    <div className={styles.act}>
      <Form action={submit} about={{ personId }} isShort>
        {children}
        <FormButtons>
          <SubmitButton kind={kind} pendingWord={pendingWord}>
            {word}
          </SubmitButton>
        </FormButtons>
        <AnswerWithLink state={state} />
      </Form>
    </div>
  );
}
