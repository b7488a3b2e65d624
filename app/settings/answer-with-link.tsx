import type { ReactElement } from 'react';
import type { ActionState } from '../_server/action-state.ts';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { FormAnswer } from '../_ui/words/form-answer.tsx';
import styles from './answer-with-link.module.css';

/** What became of a form, and the link it made, if it made one. What is wrong with a line stands beside that line. */
export function AnswerWithLink({ state }: { state: ActionState }): ReactElement {
  return (
    <>
      {state.kind !== 'invalid' && <FormAnswer state={state} />}
      {state.kind === 'done' && state.link !== undefined && (
        <div className={styles.link}>
          <CopyButton text={state.link} what="link" />
          <p className={styles.words}>It opens once, within 24 hours, and is not shown again. Whoever has it can set the password.</p>
        </div>
      )}
    </>
  );
}
