import type { ReactElement } from 'react';
import { listPeople, type PersonRow } from '../../db/queries/list-people.ts';
import { ROLE_LABELS } from '../../lib/domain/roles.ts';
import { now } from '../_server/clock.ts';
import { requirePerson } from '../_server/session.ts';
import { db } from '../_server/wiring.ts';
import { formatAge } from '../_ui/figures/format-instant.ts';
import { TableFrame } from '../_ui/layout/table-frame.tsx';
import { Status } from '../_ui/words/status.tsx';
import { AddPersonForm } from './add-person-form.tsx';
import { PersonForms } from './person-forms.tsx';
import styles from './settings.module.css';
import { SideDialog } from './side-dialog.tsx';

/** Who may come in, for those who decide it. */
export async function PeopleSection(): Promise<ReactElement> {
  const self = await requirePerson('people.manage');
  const people = await listPeople(db());
  return (
    <section className={styles.section} aria-labelledby="people">
      <div className={styles.head}>
        <h2 id="people">People</h2>
        <SideDialog opener="Add a person" isMain title="Add a person">
          <AddPersonForm />
        </SideDialog>
      </div>
      <TableFrame label="People">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Standing</th>
            <th scope="col">Last signed in</th>
            <th scope="col">
              <span className="sr-only">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <PersonLine key={person.id} person={person} isSelf={person.id === self.id} />
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}

function PersonLine({ person, isSelf }: { person: PersonRow; isSelf: boolean }): ReactElement {
  const { id, name, email, role, isDisabled } = person;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {isSelf && ' (you)'}
        <span className={styles.email}>{email}</span>
      </th>
      <td>{ROLE_LABELS[role]}</td>
      <td>{standingOf(person)}</td>
      <td className={styles.when}>{person.lastSignedInAt === null ? 'Never' : formatAge(person.lastSignedInAt, now())}</td>
      <td className="num">
        <SideDialog opener="Change" label={`Change ${name}`} title={name}>
          <PersonForms person={{ id, name, email, role, isDisabled }} />
        </SideDialog>
      </td>
    </tr>
  );
}

function standingOf({ isDisabled, hasPassword, linkUntil, sessionCount }: PersonRow): ReactElement {
  if (isDisabled) return <Status tone="bad" word="Disabled" />;
  if (!hasPassword) return linkUntil === null ? <Status tone="wait" word="Link expired, no password" /> : <Status tone="wait" word="Invited" />;
  return sessionCount > 0 ? <Status tone="good" word="Signed in" /> : <Status tone="quiet" word="May sign in" />;
}
