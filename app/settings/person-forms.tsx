'use client';

import type { ReactElement, ReactNode } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES, ROLES, type Role } from '#lib/core/roles.ts';
import { formatSetUpCount, formatWithoutFactor } from '#lib/two-factor/text.ts';
import type { ButtonKind } from '../_ui/controls/button.tsx';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { MultiChoices, TextField } from '../_ui/forms/field.tsx';
import {
  FieldGroup,
  Form,
  FormButtons,
  type FormResult,
  FormStatus,
  PasswordField,
  SubmitButton,
  useFormResult,
} from '../_ui/forms/form.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '../_ui/layout/simple-table.tsx';
import { Status } from '../_ui/words/status.tsx';
import {
  addPersonAction,
  changeRolesAction,
  disablePersonAction,
  enablePersonAction,
  newLinkAction,
  requireFactorAction,
  resetFactorAction,
} from './actions.ts';
import styles from './settings.module.css';

/** Adds a person: email, name and roles. */
export function AddPersonForm(): ReactElement {
  const [state, submit] = useFormResult(addPersonAction);
  const errors: Record<string, string | undefined> = state.kind === 'invalid' ? state.fields : {};
  return (
    <Form action={submit} isEmptied={state.kind === 'done'}>
      <TextField name="email" label="Email" type="email" autoComplete="off" lengthMax={254} error={errors.email} />
      <TextField name="name" label="Name" autoComplete="off" lengthMax={80} error={errors.name} />
      <RolesField roles={['viewer']} />
      <PasswordField result={state} />
      <SubmitButton pendingWord="Adding…">Add person</SubmitButton>
      <ResultWithLink state={state} />
    </Form>
  );
}

export interface ManagedPerson {
  id: string;
  name: string;
  email: string;
  roles: Role[];
  isDisabled: boolean;
  hasFactor: boolean;
  /** It is the admin, who changes their own second factor on their account page. */
  isSelf: boolean;
  /** A mail server sends their links to their own address. */
  isMailed: boolean;
}

/** What an admin can change about one person. */
export function PersonForms({ person }: { person: ManagedPerson }): ReactElement {
  return (
    <>
      <p className={styles.personEmail}>{person.email}</p>
      <PersonForm personId={person.id} action={changeRolesAction} kind="main" word="Change roles" pendingWord="Changing…">
        <RolesField roles={person.roles} />
        <p className={styles.personText}>
          Changing roles signs this person out everywhere. The roles finance and admin need approval by a second person. After a new role
          the account doesn’t count as one of two people for 24 hours.
        </p>
      </PersonForm>
      {!person.isDisabled && (
        <PersonForm personId={person.id} action={newLinkAction} kind="plain" word="Create password link" pendingWord="Creating…">
          <h3>Password</h3>
          <p className={styles.personText}>
            {person.isMailed
              ? `Emails a link to set a new password to ${person.email}; nobody else sees it.`
              : `Creates a link to set a new password and shows it to you. ${
                  person.isSelf
                    ? ''
                    : 'Anyone who has it could take over the account, so someone else must confirm the account before it counts again. '
                }`}{' '}
            The current password works until the link is used. The account then doesn’t count as one of two people for 24 hours.
          </p>
        </PersonForm>
      )}
      {!person.isSelf && <FactorReset person={person} />}
      {person.isDisabled ? (
        <PersonForm personId={person.id} action={enablePersonAction} kind="plain" word={`Enable ${person.name}`} pendingWord="Enabling…">
          <h3>Disabled</h3>
          <p className={styles.personText}>
            Disabled. Enabling restores their roles and password. Someone other than you must then confirm the account.
          </p>
        </PersonForm>
      ) : (
        <PersonForm
          personId={person.id}
          action={disablePersonAction}
          kind="danger"
          word={`Disable ${person.name}`}
          pendingWord="Disabling…"
        >
          <h3>Disable</h3>
          <p className={styles.personText}>
            Signs {person.name} ({person.email}) out everywhere, closes their links and blocks sign-in. Their records are kept.
          </p>
        </PersonForm>
      )}
    </>
  );
}

function FactorReset({ person }: { person: ManagedPerson }): ReactElement {
  if (!person.hasFactor)
    return (
      <div className={styles.act}>
        <h3>Two-factor authentication</h3>
        <p className={styles.personText}>Not set up. {person.name} sets it up on their account page.</p>
      </div>
    );
  return (
    <PersonForm
      personId={person.id}
      action={resetFactorAction}
      kind="danger"
      word="Reset two-factor authentication"
      pendingWord="Resetting…"
    >
      <h3>Two-factor authentication</h3>
      <p className={styles.personText}>
        Use this if {person.name} lost their phone and backup codes. Confirm the request with them first: until they set it up again, a
        password is enough to sign in. They are signed out. Their account counts again after 24 hours and once someone else confirms it.
      </p>
    </PersonForm>
  );
}

interface PersonFormProps {
  personId: string;
  action: (state: FormResult, form: FormData) => Promise<FormResult>;
  kind: ButtonKind;
  word: string;
  pendingWord: string;
  children: ReactNode;
}

function PersonForm({ personId, action, kind, word, pendingWord, children }: PersonFormProps): ReactElement {
  const [state, submit] = useFormResult(action);
  return (
    <div className={styles.act}>
      <Form action={submit} about={{ personId }} isShort>
        {children}
        <PasswordField result={state} />
        <FormButtons>
          <SubmitButton kind={kind} pendingWord={pendingWord}>
            {word}
          </SubmitButton>
        </FormButtons>
        <ResultWithLink state={state} />
      </Form>
    </div>
  );
}

function RolesField({ roles }: { roles: readonly Role[] }): ReactElement {
  return (
    <FieldGroup legend="Roles">
      <MultiChoices
        choices={ROLES.map((role) => ({
          name: `role_${role}`,
          label: ROLE_LABELS[role],
          note: ROLE_SENTENCES[role],
          isChosen: roles.includes(role),
        }))}
      />
    </FieldGroup>
  );
}

// An error of a single field is shown beside that field, not here.
function ResultWithLink({ state }: { state: FormResult }): ReactElement {
  return (
    <>
      {state.kind !== 'invalid' && <FormStatus result={state} />}
      {state.kind === 'done' && state.link !== undefined && (
        <div className={styles.setUpLink}>
          <CopyButton text={state.link} what="link" />
          <p className={styles.linkNote}>
            The link works once, for 24 hours, and isn’t shown again. Anyone who has it can set the password.
          </p>
        </div>
      )}
    </>
  );
}

interface RoleRow {
  role: Role;
  isRequired: boolean;
  peopleCount: number;
  /** Names of those who haven’t set it up. */
  without: string[];
}

/** Chooses the roles that need two-factor authentication. */
export function RequirementForm({ roles }: { roles: RoleRow[] }): ReactElement {
  const [state, send] = useFormResult(requireFactorAction);
  return (
    <Form action={send} isShort>
      <SimpleTable label="Roles that require two-factor authentication" rows={roles} keyOf={({ role }) => role} columns={COLUMNS} />
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save requirement
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

const COLUMNS: SimpleColumn<RoleRow>[] = [
  {
    label: 'Required for',
    cell: (row) => (
      <>
        <MultiChoices choices={[{ name: `needs_${row.role}`, label: ROLE_LABELS[row.role], isChosen: row.isRequired }]} />
        <NarrowNote>{row.without.length > 0 && <Without {...row} />}</NarrowNote>
      </>
    ),
  },
  {
    label: 'Set up by',
    cell: ({ peopleCount, without }) => formatSetUpCount({ people: peopleCount, withFactor: peopleCount - without.length }),
  },
  { label: 'Not set up by', isWideOnly: true, cell: (row) => (row.peopleCount === 0 ? null : <Without {...row} />) },
];

function Without({ isRequired, without }: RoleRow): ReactElement {
  return (
    <>
      <bdi>{formatWithoutFactor(without)}</bdi> {isRequired && without.length > 0 && <Status tone="wait" word="Can’t use Sharebook" />}
    </>
  );
}
