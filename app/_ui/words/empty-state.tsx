import type { ReactElement, ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  title: string;
  /** It is the whole page, so its title is the page’s heading. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing to show: why, and what to do next. */
export function EmptyState({ title, isPage = false, children, action }: EmptyStateProps): ReactElement {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
