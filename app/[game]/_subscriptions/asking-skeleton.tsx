import type { ReactElement } from 'react';
import styles from './detail.module.css';

/** What stands on a page while Invo is asked: the shape of what will come, and a word for who cannot see it. */
export function AskingSkeleton(): ReactElement {
  return (
    <div className={styles.skeleton} role="status">
      <p className={styles.quiet}>Asking Invo…</p>
      <div className={styles.top} aria-hidden="true">
        <div className={styles.ghost} />
        <div className={styles.ghost} />
      </div>
      <div className={styles.ghostRow} aria-hidden="true" />
    </div>
  );
}
