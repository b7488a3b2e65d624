import type { ReactElement } from 'react';
import { formatRoles, ROLES, type Role } from '#lib/core/roles.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { PersonRow } from '#lib/people/reads.ts';
import { formatConfirmations, isConfirmedByUpgrade } from '#lib/people/text.ts';
import { rolesThatNeed } from '#lib/two-factor/rules/code.ts';
import { SideDialog } from '../_ui/controls/side-dialog.tsx';
import { formatAge } from '../_ui/figures/format.ts';
import { Instant } from '../_ui/figures/instant.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '../_ui/layout/simple-table.tsx';
import { Status } from '../_ui/words/status.tsx';
import { AddPersonForm, PersonForms, RequirementForm } from './person-forms.tsx';
import styles from './settings.module.css';
import { SettingsSection } from './settings-index.tsx';

interface PeopleSectionProps {
  selfId: string;
  people: PersonRow[];
  /** Roles whose people need a second factor. */
  requiredRoles: readonly Role[];
  /** A mail server sends links to their person. */
  isMailed: boolean;
}

/** The people who can sign in, for admins. */
export function PeopleSection({ selfId, people, requiredRoles, isMailed }: PeopleSectionProps): ReactElement {
  return (
    <SettingsSection
      id="people"
      title="People"
      action={
        <SideDialog opener="Add person" kind="main" title="Add person">
          <AddPersonForm />
        </SideDialog>
      }
    >
      <SimpleTable
        label="People who can sign in"
        rows={people}
        keyOf={({ id }) => id}
        columns={columnsOf(selfId, requiredRoles, isMailed)}
      />
    </SettingsSection>
  );
}

function columnsOf(selfId: string, requiredRoles: readonly Role[], isMailed: boolean): SimpleColumn<PersonRow>[] {
  return [
    {
      label: 'Name',
      cell: (person) => (
        <>
          <bdi>{person.name}</bdi>
          {person.id === selfId && ' (you)'}
          <span className={styles.email}>{person.email}</span>
          <NarrowNote>
            {formatRoles(person.roles)} <Status {...statusOf(person)} />
            <NarrowFactor person={person} requiredRoles={requiredRoles} />
            {!person.isConfirmed && <Status tone={person.isDisabled ? 'quiet' : 'wait'} word="Not confirmed" />}
            {isConfirmedByUpgrade(person) && <Status tone={person.isDisabled ? 'quiet' : 'wait'} word="Never confirmed by two people" />}
          </NarrowNote>
        </>
      ),
    },
    { label: 'Roles', isWideOnly: true, cell: (person) => <Roles {...person} /> },
    { label: 'Status', isWideOnly: true, cell: (person) => <Status {...statusOf(person)} /> },
    { label: 'Account', isWideOnly: true, cell: (person) => <Account {...person} /> },
    { label: 'Two-factor', isWideOnly: true, cell: (person) => <Status {...factorOf(person, requiredRoles)} /> },
    {
      label: 'Last signed in',
      isWideOnly: true,
      cell: ({ lastSignedInAt, readAt }) => (lastSignedInAt === null ? 'Never' : formatAge(lastSignedInAt, readAt)),
    },
    {
      label: 'Actions',
      isFigure: true,
      cell: ({ id, name, email, roles, isDisabled, hasFactor }) => (
        <SideDialog opener="Edit" label={`Edit ${name}`} title={name}>
          <PersonForms person={{ id, name, email, roles, isDisabled, hasFactor, isSelf: id === selfId, isMailed }} />
        </SideDialog>
      ),
    },
  ];
}

function Roles({ roles, request }: PersonRow): ReactElement {
  return (
    <>
      {formatRoles(roles)}
      {request !== null && <span className={styles.email}>Waiting for approval: {formatRoles(request.roles)}</span>}
    </>
  );
}

/** Whether the account counts as one of two people, and who confirmed it. */
function Account(person: PersonRow): ReactElement {
  const { isConfirmed, confirmations, waitsUntil, isDisabled } = person;
  return (
    <>
      <Status tone={isConfirmed ? 'good' : isDisabled ? 'quiet' : 'wait'} word={isConfirmed ? 'Confirmed' : 'Not confirmed'} />
      <span className={styles.email}>
        {formatConfirmations(confirmations)}
        {isConfirmedByUpgrade(person) && ', never confirmed by two people'}
      </span>
      {waitsUntil !== null && !isDisabled && (
        <span className={styles.email}>
          Counts from <Instant at={waitsUntil} />
        </span>
      )}
    </>
  );
}

/** On a narrow screen only what matters most: that it is on, or required and missing. */
function NarrowFactor({ person, requiredRoles }: { person: PersonRow; requiredRoles: readonly Role[] }): ReactElement | null {
  const { tone, word } = factorOf(person, requiredRoles);
  return tone === 'quiet' ? null : <Status tone={tone} word={`Two-factor: ${word.toLowerCase()}`} />;
}

function factorOf({ hasFactor, roles }: PersonRow, requiredRoles: readonly Role[]): { tone: Tone; word: string } {
  if (hasFactor) return { tone: 'good', word: 'On' };
  return rolesThatNeed(roles, requiredRoles).length > 0 ? { tone: 'wait', word: 'Required, not set up' } : { tone: 'quiet', word: 'Off' };
}

function statusOf({ isDisabled, hasPassword, linkUntil, sessionCount }: PersonRow): { tone: Tone; word: string } {
  if (isDisabled) return { tone: 'bad', word: 'Disabled' };
  if (!hasPassword) return { tone: 'wait', word: linkUntil === null ? 'Link expired, no password' : 'Invited' };
  return sessionCount > 0 ? { tone: 'good', word: 'Signed in' } : { tone: 'quiet', word: 'Can sign in' };
}

/** Which roles need two-factor authentication, for admins, with the people who don’t have it. */
export function RequirementSection({ people, requiredRoles }: { people: PersonRow[]; requiredRoles: readonly Role[] }): ReactElement {
  const roles = ROLES.map((role) => {
    const having = people.filter((person) => !person.isDisabled && person.roles.includes(role));
    const without = having.filter(({ hasFactor }) => !hasFactor).map(({ name }) => name);
    return { role, isRequired: requiredRoles.includes(role), peopleCount: having.length, without };
  });
  return (
    <SettingsSection id="two-factor" title="Two-factor authentication">
      <p className={styles.text}>
        People with a required role can’t use Sharebook until they set it up on their account page. Set it up for yourself before you
        require it for a role of your own.
      </p>
      <RequirementForm roles={roles} />
    </SettingsSection>
  );
}
