import type { ReactElement } from 'react';
import styles from './progress-card.module.css';

export interface ProgressCardProps {
  /** The current step. */
  title: string;
  /** Figures so far. */
  sentence: string;
  /** From 0 to 1; null: not known yet. */
  done: number | null;
  /** What it waits for; null: nothing. */
  waiting: string | null;
}

/** A long operation: its step, its progress, and what it waits for. */
export function ProgressCard({ title, sentence, done, waiting }: ProgressCardProps): ReactElement {
  const percent = done === null ? null : Math.round(done * 100);
  return (
    <section className={styles.card} aria-label="Progress">
      <p className={styles.title}>{title}</p>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
      >
        <div className={percent === null ? styles.unknown : styles.bar} style={percent === null ? {} : { width: `${percent}%` }} />
      </div>
      <p className={styles.sentence}>{sentence}</p>
      <p className={styles.waiting} role="status">
        {waiting}
      </p>
    </section>
  );
}
