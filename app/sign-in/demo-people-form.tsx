'use client';

import { type ReactElement, useActionState } from 'react';
import { IDLE } from '../_server/action-state.ts';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import { signInAsDemoPerson } from './actions.ts';
import styles from './forms.module.css';

export interface DemoChoice {
  email: string;
  name: string;
  roleLabel: string;
  /** What they may do, in a sentence. */
  sentence: string;
}

/** People to look around as, one press each. */
export function DemoPeopleForm({ people, next }: { people: DemoChoice[]; next: string }): ReactElement {
  const [state, submit, isPending] = useActionState(signInAsDemoPerson, IDLE);
  return (
    <form action={submit}>
      <input type="hidden" name="next" value={next} />
      <ul className={styles.people}>
        {people.map((person) => (
          <li key={person.email}>
            <button type="submit" name="email" value={person.email} className={styles.person} disabled={isPending}>
              <span className={styles.name}>{person.name}</span>
              <span className={styles.role}>{person.roleLabel}</span>
              <span className={styles.may}>{person.sentence}</span>
            </button>
          </li>
        ))}
      </ul>
      <FormAnswer state={state} />
    </form>
  );
}
