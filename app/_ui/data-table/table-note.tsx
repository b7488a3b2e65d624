import type { ReactElement, ReactNode } from 'react';
import styles from './table-note.module.css';

/** What one must know to read the figures of a table: unit, zone, what they are and are not. */
export function TableNote({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles.note}>{children}</p>;
}
