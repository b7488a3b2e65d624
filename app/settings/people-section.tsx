import type { ReactElement } from 'react';
import { listPeople, type PersonRow } from '#db/people/reads/list-people.ts';
import { ROLE_LABELS } from '#lib/core/roles.ts';
import { storedNow } from '../_server/clock.ts';
import { requirePerson } from '../_server/session.ts';
import { db } from '../_server/wiring.ts';
import { SideDialog } from '../_ui/controls/side-dialog.tsx';
import { formatAge } from '../_ui/figures/format-instant.ts';
import { TableFrame } from '../_ui/layout/table-frame.tsx';
import { Status, type Tone } from '../_ui/words/status.tsx';
import { AddPersonForm } from './add-person-form.tsx';
import { PersonForms } from './person-forms.tsx';
import styles from './settings.module.css';

/** Who may come in, for those who decide it. */
export async function PeopleSection(): Promise<ReactElement> {
  const self = await requirePerson('people.manage');
  const [people, now] = await Promise.all([listPeople(db()), storedNow()]);
  return (
    <section className={styles.section} aria-labelledby="people">
      <div className={styles.head}>
        <h2 id="people">People</h2>
        <SideDialog opener="Add a person" isMain title="Add a person">
          <AddPersonForm />
        </SideDialog>
      </div>
      <TableFrame label="People who may sign in">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.wide}>
              Role
            </th>
            <th scope="col" className={styles.wide}>
              Standing
            </th>
            <th scope="col" className={styles.wide}>
              Last signed in
            </th>
            <th scope="col" className={styles.act}>
              <span className="sr-only">Change</span>
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
  const standing = standingOf(person);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {isSelf && ' (you)'}
        <span className={styles.email}>{email}</span>
        <span className={styles.narrow}>
          {ROLE_LABELS[role]} <Status {...standing} />
        </span>
      </th>
      <td className={styles.wide}>{ROLE_LABELS[role]}</td>
      <td className={styles.wide}>
        <Status {...standing} />
      </td>
      <td className={styles.wide}>{person.lastSignedInAt === null ? 'never' : formatAge(person.lastSignedInAt, now)}</td>
      <td className="num">
        <SideDialog opener="Change" label={`Change ${name}`} title={name}>
          <PersonForms person={{ id, name, email, role, isDisabled }} />
        </SideDialog>
      </td>
    </tr>
  );
}

function standingOf({ isDisabled, hasPassword, linkUntil, sessionCount }: PersonRow): { tone: Tone; word: string } {
  if (isDisabled) return { tone: 'bad', word: 'Disabled' };
  if (!hasPassword) return { tone: 'wait', word: linkUntil === null ? 'Link expired, no password' : 'Invited' };
  return sessionCount > 0 ? { tone: 'good', word: 'Signed in' } : { tone: 'quiet', word: 'May sign in' };
}
