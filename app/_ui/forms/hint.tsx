import type { ReactElement, ReactNode } from 'react';
import styles from './forms.module.css';

/** A sentence about what is being filled in, beside no single field. */
export function Hint({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles.hint}>{children}</p>;
}
