import type { ReactElement } from 'react';
import { ROLES, type Role } from '#lib/core/roles.ts';
import type { PersonRow } from '#lib/people/reads.ts';
import styles from '../settings.module.css';
import { RequirementForm } from './requirement-form.tsx';

/** Which roles need two-factor authentication, for admins, with the people who don’t have it. */
export function RequirementSection({ people, requiredRoles }: { people: PersonRow[]; requiredRoles: readonly Role[] }): ReactElement {
  const roles = ROLES.map((role) => {
    const having = people.filter((person) => !person.isDisabled && person.roles.includes(role));
    const without = having.filter(({ hasFactor }) => !hasFactor).map(({ name }) => name);
    return { role, isRequired: requiredRoles.includes(role), peopleCount: having.length, without };
  });
  return (
    <section className={styles.section} aria-labelledby="two-factor">
      <div className={styles.head}>
        <h2 id="two-factor">Two-factor authentication</h2>
      </div>
      <p className={styles.text}>
        People with a required role can’t use Sharebook until they set it up on their account page. Set it up for yourself before you
        require it for a role of your own.
      </p>
      <RequirementForm roles={roles} />
    </section>
  );
}
