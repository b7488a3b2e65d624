import type { ReactElement, ReactNode } from 'react';
import styles from './stand-alone.module.css';

/** One thing in the middle of an otherwise empty page. */
export function StandAlone({ children }: { children: ReactNode }): ReactElement {
  return (
    <main className={styles.page}>
      <div className={styles.middle}>{children}</div>
    </main>
  );
}
