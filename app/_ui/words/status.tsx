import { clsx } from 'clsx';
import { CircleCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Tone } from '#lib/core/strings.ts';
import styles from './status.module.css';

/** A state in a few words; the tone repeats what the text says. */
export function Status({ tone, word }: { tone: Tone; word: string }): ReactElement {
  return (
    <span className={clsx(styles.status, styles[tone])}>
      <span className={styles.dot} aria-hidden="true" />
      {word}
    </span>
  );
}

/** A remark in a row. */
export function Flag({ tone, word }: { tone: Tone; word: string }): ReactElement {
  return <span className={clsx(styles.flag, styles[tone])}>{word}</span>;
}

/** A normal result: an icon and a word, no pill. */
export function Matches({ word = 'Matches' }: { word?: string }): ReactElement {
  return (
    <span className={styles.matches}>
      <CircleCheck size={14} aria-hidden="true" className={styles.matchIcon} />
      {word}
    </span>
  );
}
