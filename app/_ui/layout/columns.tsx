import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './columns.module.css';

export interface TwoColumnsProps {
  /** The second column has content of its own, not only facts and short forms. */
  isBalanced?: boolean;
  children: ReactNode;
}

/** A page in two columns: the work, and what belongs to it beside it. On a narrow screen the second column follows the first. */
export function TwoColumns({ isBalanced = false, children }: TwoColumnsProps): ReactElement {
  return <div className={clsx(styles.columns, isBalanced && styles.balanced)}>{children}</div>;
}

export interface ColumnProps {
  /** It stays in view beside a long first column. */
  isSticky?: boolean;
  /** What a link on the page leads to. */
  id?: string;
  children: ReactNode;
}

/** One of two columns, its parts below each other. */
export function Column({ isSticky = false, id, children }: ColumnProps): ReactElement {
  return (
    <div className={clsx(styles.column, isSticky && styles.sticky)} id={id}>
      {children}
    </div>
  );
}
