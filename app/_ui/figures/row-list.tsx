import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './row-list.module.css';

export interface ListRowProps {
  label: string;
  note?: string | null;
  /** The one line that matters most. */
  isStrong?: boolean;
  children: ReactNode;
}

/** Labelled lines, one beneath the other, each a sentence rather than a figure. */
export function RowList({ children }: { children: ReactNode }): ReactElement {
  return <dl className={styles.list}>{children}</dl>;
}

/** One line of it, with a few quiet words beneath. */
export function ListRow({ label, note = null, isStrong = false, children }: ListRowProps): ReactElement {
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <dd className={clsx(styles.value, isStrong && styles.strong)}>
        {children}
        {note !== null && <span className={styles.note}>{note}</span>}
      </dd>
    </div>
  );
}
