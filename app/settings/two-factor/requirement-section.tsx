import type { ReactElement } from 'react';
import type { PersonRow } from '#db/people/reads.ts';
import { ROLE_LABELS, ROLES, type Role } from '#lib/core/roles.ts';
import { formatRoleFactors } from '#lib/factors/text.ts';
import styles from '../settings.module.css';
import { RequirementForm } from './requirement-form.tsx';

interface RequirementSectionProps {
  people: PersonRow[];
  requiredRoles: readonly Role[];
}

/** Which roles need two-factor authentication, for admins, with how many of their people have it. */
export function RequirementSection({ people, requiredRoles }: RequirementSectionProps): ReactElement {
  const roles = ROLES.map((role) => {
    const isRequired = requiredRoles.includes(role);
    const having = people.filter((person) => !person.isDisabled && person.roles.includes(role));
    return {
      name: `needs_${role}`,
      label: ROLE_LABELS[role],
      note: formatRoleFactors({ people: having.length, withFactor: having.filter(({ hasFactor }) => hasFactor).length, isRequired }),
      isChosen: isRequired,
    };
  });
  return (
    <section className={styles.section} aria-labelledby="two-factor">
      <div className={styles.head}>
        <h2 id="two-factor">Two-factor authentication</h2>
      </div>
      <p className={styles.text}>
        People set it up on their account page. People with a role that requires it must set it up before they can use Sharebook. To require
        it for a role of your own, set it up for yourself first.
      </p>
      <div className={styles.account}>
        <RequirementForm roles={roles} />
      </div>
    </section>
  );
}
