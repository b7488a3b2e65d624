import type { ReactElement, ReactNode } from 'react';
import styles from './forms.module.css';

/** What a form ends with. */
export function FormButtons({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.buttons}>{children}</div>;
}
