import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './table-frame.module.css';

export interface TableFrameProps {
  label: string;
  /** It may hold more rows than a screen; its head then stays in sight. */
  isLong?: boolean;
  children: ReactNode;
}

/** A plain table: hairlines, first column kept in sight when it scrolls sideways. Cells of figures carry the class `num`. */
export function TableFrame({ label, isLong = false, children }: TableFrameProps): ReactElement {
  return (
    <div className={clsx(styles.frame, isLong && styles.long)} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
