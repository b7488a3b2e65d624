import type { ReactElement } from 'react';
import styles from './forms.module.css';

/** What is wrong where no single line is; read out when it comes, null while nothing is. */
export function Fault({ children }: { children: string | null }): ReactElement {
  return (
    <p className={styles.fault} role="alert">
      {children}
    </p>
  );
}
