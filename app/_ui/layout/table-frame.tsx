import type { ReactElement, ReactNode } from 'react';
import styles from './table-frame.module.css';

/** A plain table of few rows: hairlines, first column kept in sight when it scrolls sideways. Cells of figures carry the class `num`. */
export function TableFrame({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}
