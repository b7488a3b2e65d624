import type { ReactElement } from 'react';
import { listPeople, type PersonRow } from '#db/people/reads.ts';
import { ROLE_LABELS } from '#lib/core/roles.ts';
import { requirePerson } from '../_server/session.ts';
import { db, storedNow } from '../_server/wiring.ts';
import { SideDialog } from '../_ui/controls/side-dialog.tsx';
import { formatAge } from '../_ui/figures/format.ts';
import { TableFrame } from '../_ui/layout/simple-table.tsx';
import { Status, type Tone } from '../_ui/words/status.tsx';
import { AddPersonForm, PersonForms } from './person-forms.tsx';
import styles from './settings.module.css';

/** The people who can sign in, for admins. */
export async function PeopleSection(): Promise<ReactElement> {
  const self = await requirePerson('people.manage');
  const [people, now] = await Promise.all([listPeople(db()), storedNow()]);
  return (
    <section className={styles.section} aria-labelledby="people">
      <div className={styles.head}>
        <h2 id="people">People</h2>
        <SideDialog opener="Add person" isMain title="Add person">
          <AddPersonForm />
        </SideDialog>
      </div>
      <TableFrame label="People who can sign in">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.wide}>
              Role
            </th>
            <th scope="col" className={styles.wide}>
              Status
            </th>
            <th scope="col" className={styles.wide}>
              Last signed in
            </th>
            <th scope="col" className={styles.act}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <PersonLine key={person.id} person={person} isSelf={person.id === self.id} now={now} />
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}

function PersonLine({ person, isSelf, now }: { person: PersonRow; isSelf: boolean; now: string }): ReactElement {
  const { id, name, email, role, isDisabled } = person;
  const status = statusOf(person);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {isSelf && ' (you)'}
        <span className={styles.email}>{email}</span>
        <span className={styles.narrow}>
          {ROLE_LABELS[role]} <Status {...status} />
        </span>
      </th>
      <td className={styles.wide}>{ROLE_LABELS[role]}</td>
      <td className={styles.wide}>
        <Status {...status} />
      </td>
      <td className={styles.wide}>{person.lastSignedInAt === null ? 'Never' : formatAge(person.lastSignedInAt, now)}</td>
      <td className="num">
        <SideDialog opener="Edit" label={`Edit ${name}`} title={name}>
          <PersonForms person={{ id, name, email, role, isDisabled }} />
        </SideDialog>
      </td>
    </tr>
  );
}

function statusOf({ isDisabled, hasPassword, linkUntil, sessionCount }: PersonRow): { tone: Tone; word: string } {
  if (isDisabled) return { tone: 'bad', word: 'Disabled' };
  if (!hasPassword) return { tone: 'wait', word: linkUntil === null ? 'Link expired, no password' : 'Invited' };
  return sessionCount > 0 ? { tone: 'good', word: 'Signed in' } : { tone: 'quiet', word: 'Can sign in' };
}
