import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './card.module.css';

export interface CardProps {
  title?: string;
  /** Its name among others with the same title; the title otherwise. */
  label?: string;
  aside?: ReactNode;
  /** It shows one large figure, and the title is its label. */
  isAnswer?: boolean;
  children: ReactNode;
}

/** A box with one thing in it, named by its title. */
export function Card({ title, label = title, aside, isAnswer = false, children }: CardProps): ReactElement {
  return (
    <section className={styles.card} aria-label={label}>
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
