import type { ReactElement } from 'react';
import styles from './checks-meaning.module.css';

/** What the checks mean, and what follows when one does not hold. */
export function ChecksMeaning(): ReactElement {
  return (
    <p className={styles.meaning}>
      Each check compares what Invo states with what its own lines add up to, to the last digit. One that must hold and does not makes the
      month “does not tie”: it is kept and shown, never evened out, and cannot be exported as complete. One to look at does not block the
      month.
    </p>
  );
}
