import type { ReactElement } from 'react';
import styles from './change.module.css';
import type { ChangeField, ChangeState } from './change-state.ts';

/** What is wrong with one field of a change, beneath it, read out when it comes. */
export function FieldFault({ state, at }: { state: ChangeState; at: ChangeField }): ReactElement {
  return (
    <p className={styles.fault} role="alert">
      {state.kind === 'refused' && state.at === at ? state.sentence : ''}
    </p>
  );
}
