import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** A note under the value. */
  note?: ReactNode;
  /** An ID or an address: it takes two columns to fit on one line. */
  isWide?: true;
}

const COLUMNS = { 2: styles.two, 4: styles.four, many: styles.many };

/** A list of labelled facts in columns that fold when space is short; `many` are closer together. */
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

export interface ListRowProps {
  label: string;
  note?: string | null;
  /** The most important line. */
  isStrong?: boolean;
  children: ReactNode;
}

/** Labelled lines below each other, each a sentence rather than a figure. */
export function RowList({ children }: { children: ReactNode }): ReactElement {
  return <dl className={styles.list}>{children}</dl>;
}

/** One line of a `RowList`, with an optional note below. */
export function ListRow({ label, note = null, isStrong = false, children }: ListRowProps): ReactElement {
  return (
    <div className={styles.row}>
      <dt className={styles.rowLabel}>{label}</dt>
      <dd className={clsx(styles.rowValue, isStrong && styles.strong)}>
        {children}
        {note !== null && <span className={styles.rowNote}>{note}</span>}
      </dd>
    </div>
  );
}
