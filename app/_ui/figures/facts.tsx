import type { ReactElement, ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** A few quiet words under the value. */
  note?: ReactNode;
  /** An id or an address: it takes two columns, so that it stands on one line. */
  isWide?: true;
}

const COLUMNS = { 2: styles.two, 4: styles.four, many: styles.many };

/** A list of labelled facts, in columns that fold when space is short; `many` stand closer together. */
export function Facts({ facts, columns = 2 }: { facts: Fact[]; columns?: keyof typeof COLUMNS }): ReactElement {
  return (
    <dl className={COLUMNS[columns]}>
      {facts.map(({ label, value, note, isWide }) => (
        <div key={label} className={isWide && styles.wide}>
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
