import type { ReactElement } from 'react';
import styles from './refund-form.module.css';

/** What stands there while Invo is asked. */
export function AskingInvo(): ReactElement {
  return (
    <p className={styles.asking} role="status">
      Asking Invo what is left of this period…
    </p>
  );
}
