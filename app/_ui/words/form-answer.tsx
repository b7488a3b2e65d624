import type { ReactElement } from 'react';
import type { ActionState } from '#app/_server/action-state.ts';
import { CopyButton } from '../controls/copy-button.tsx';
import styles from './form-answer.module.css';

/** The result of a form beside its button, announced when it arrives. */
export function FormAnswer({ state }: { state: ActionState }): ReactElement {
  return (
    <div className={state.kind === 'done' ? styles.done : styles.trouble} role="status">
      {sentenceOf(state)}
      {state.kind === 'failed' && state.errorId !== undefined && <CopyButton text={state.errorId} what="reference" />}
    </div>
  );
}

function sentenceOf(state: ActionState): string {
  if (state.kind === 'idle') return '';
  return state.kind === 'invalid' ? Object.values(state.fields).join(' ') : state.sentence;
}
