import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import styles from './status.module.css';

export type Tone = 'good' | 'wait' | 'bad' | 'busy' | 'quiet';

/** A state in one or a few words; the tone repeats what the word says and never says it alone. */
export function Status({ tone, word }: { tone: Tone; word: string }): ReactElement {
  return (
    <span className={clsx(styles.status, styles[tone])}>
      <span className={styles.dot} aria-hidden="true" />
      {word}
    </span>
  );
}

/** A remark at the end of a row, in plain words. */
export function Flag({ tone, word }: { tone: Tone; word: string }): ReactElement {
  return <span className={clsx(styles.flag, styles[tone])}>{word}</span>;
}
