import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './page-head.module.css';

export interface PageHeadProps {
  title: string;
  /** Beside the title: navigation, state. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** Figures or cards follow directly. */
  isTight?: boolean;
  /** The line under the title. */
  children?: ReactNode;
}

/** The head of a page: title, state and actions on one line, then one line of facts. */
export function PageHead({ title, beside, actions, isTight = false, children }: PageHeadProps): ReactElement {
  return (
    <header className={clsx(styles.head, isTight && styles.tight)}>
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
