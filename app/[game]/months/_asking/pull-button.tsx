'use client';

import { type ReactElement } from 'react';
import { IDLE, LOST } from '#app/_server/action-state.ts';
import { SubmitButton } from '#app/_ui/controls/submit-button.tsx';
import { useAnswer } from '#app/_ui/forms/use-answer.ts';
import { FormAnswer } from '#app/_ui/words/form-answer.tsx';
import { pullMonth } from '../actions.ts';

export interface PullButtonProps {
  game: string;
  /** YYYY-MM. */
  month: string;
  /** Everything again as new versions, reusing nothing that is stored. */
  isFresh?: boolean;
  kind?: 'main' | 'plain' | 'quiet';
  word: string;
  /** What it does in full, where the word is short. */
  label?: string;
}

/** Asks Invo for a month. */
export function PullButton({ game, month, isFresh = false, kind = 'main', word, label }: PullButtonProps): ReactElement {
  const [state, send] = useAnswer(pullMonth, IDLE, LOST);
  return (
    <form action={send}>
      <input type="hidden" name="game" value={game} />
      <input type="hidden" name="month" value={month} />
      <input type="hidden" name="isFresh" value={isFresh ? 'yes' : 'no'} />
      <SubmitButton kind={kind} pendingWord="Asking…" {...(label === undefined ? {} : { label })}>
        {word}
      </SubmitButton>
      <FormAnswer state={state} />
    </form>
  );
}
