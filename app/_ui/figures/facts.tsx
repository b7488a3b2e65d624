import type { ReactElement, ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** A few quiet words under the value. */
  note?: string;
}

/** A list of labelled facts, in columns that fold when space is short. */
export function Facts({ facts, columns = 2 }: { facts: Fact[]; columns?: 2 | 4 }): ReactElement {
  return (
    <dl className={columns === 2 ? styles.two : styles.four}>
      {facts.map(({ label, value, note }) => (
        <div key={label}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>
            {value}
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
