import type { ReactElement, ReactNode } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Flag } from '#app/_ui/words/status.tsx';
import styles from './question.module.css';

export interface QuestionProps {
  title: string;
  count: number;
  /** What it means and what to do. */
  playbook: string;
  /** Paying must wait for an answer. */
  isUrgent?: boolean;
  /** Rows listed; fewer than the count when there are many. */
  listedCount?: number;
  children?: ReactNode;
}

/** One open question of a month: what it is, how many, what to do, and the rows it is about. */
export function Question({ title, count, playbook, isUrgent = false, listedCount, children }: QuestionProps): ReactElement {
  return (
    <div className={styles.question}>
      <h2 className={styles.title}>
        {title} <Flag tone={isUrgent ? 'bad' : 'wait'} word={formatCount(count)} />
      </h2>
      <p className={styles.playbook}>{playbook}</p>
      {children}
      {listedCount !== undefined && listedCount < count && (
        <p className={styles.more}>
          The first {formatCount(listedCount)} of {formatCount(count)}.
        </p>
      )}
    </div>
  );
}
