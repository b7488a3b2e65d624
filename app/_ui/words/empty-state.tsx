import type { ReactElement, ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Nothing to show: why, whether that is fine, and what to do next. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }): ReactElement {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
