import type { ReactElement, ReactNode } from 'react';
import styles from './card.module.css';

/** A sheet of paper with one thing on it; the title names the thing. */
export function Card({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }): ReactElement {
  return (
    <section className={styles.card} aria-label={title}>
      {title !== undefined && (
        <div className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
