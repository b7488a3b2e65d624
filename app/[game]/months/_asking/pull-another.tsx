'use client';

import { type ReactElement } from 'react';
import { IDLE, LOST } from '#app/_server/action-state.ts';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { useAnswer } from '#app/_ui/forms/use-answer.ts';
import { FormAnswer } from '#app/_ui/words/form-answer.tsx';
import { pullMonth } from '../actions.ts';
import styles from './pull-another.module.css';

/** Pulls any month by its name, years back included. */
export function PullAnother({ game, latest }: { game: string; latest: string }): ReactElement {
  const [state, send] = useAnswer(pullMonth, IDLE, LOST);
  return (
    <form action={send} className={styles.form}>
      <input type="hidden" name="game" value={game} />
      <input type="hidden" name="isFresh" value="no" />
      <label className={styles.field}>
        Another month
        <input className={styles.month} type="month" name="month" max={latest} placeholder="2025-03" required />
      </label>
      <SubmitButton kind="plain" pendingWord="Asking…">
        Pull it
      </SubmitButton>
      <FormAnswer state={state} />
    </form>
  );
}
