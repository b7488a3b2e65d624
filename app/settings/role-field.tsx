import { type ReactElement, useId } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES, ROLES, type Role } from '../../lib/domain/roles.ts';
import styles from './role-field.module.css';

/** One role out of all, each with what it may do. */
export function RoleField({ role }: { role: Role }): ReactElement {
  const id = useId();
  return (
    <fieldset className={styles.roles}>
      <legend className={styles.legend}>Role</legend>
      {ROLES.map((each) => (
        <label key={each} className={styles.role} htmlFor={`${id}-${each}`}>
          <input id={`${id}-${each}`} type="radio" name="role" value={each} defaultChecked={each === role} />
          <span>
            <span className={styles.name}>{ROLE_LABELS[each]}</span> <span className={styles.may}>{ROLE_SENTENCES[each]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
