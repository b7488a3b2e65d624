import type { ReactElement, ReactNode } from 'react';
import styles from './page-head.module.css';

export interface PageHeadProps {
  title: string;
  /** Beside the title: steps, state. */
  beside?: ReactNode;
  /** What one may do here. */
  actions?: ReactNode;
  /** The sentence under the title. */
  children?: ReactNode;
}

/** The head of a page: what it is, its state, what one may do, and one sentence. */
export function PageHead({ title, beside, actions, children }: PageHeadProps): ReactElement {
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h1>{title}</h1>
        {beside}
        {actions && (
          <div className={styles.actions} data-print="no">
            {actions}
          </div>
        )}
      </div>
      {children !== undefined && <p className={styles.sentence}>{children}</p>}
    </header>
  );
}
