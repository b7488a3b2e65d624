import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './card.module.css';

export interface CardProps {
  title?: string;
  aside?: ReactNode;
  /** One large answer stands on it, and the title says quietly of what. */
  isAnswer?: boolean;
  children: ReactNode;
}

/** A sheet of paper with one thing on it; the title names the thing. */
export function Card({ title, aside, isAnswer = false, children }: CardProps): ReactElement {
  return (
    <section className={styles.card} aria-label={title}>
      {title !== undefined && (
        <div className={clsx(styles.head, isAnswer && styles.ofAnswer)}>
          <h2 className={styles.title}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
