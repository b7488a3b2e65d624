'use client';

import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './forms.module.css';
import { type About, SentAlong } from './sent-along.tsx';

export interface FormProps {
  /** Takes what was filled in; left out: nothing is sent, and `onGoOn` leads to the next step. */
  action?: (form: FormData) => void;
  onGoOn?: () => void;
  /** Sent with it and not shown. */
  about?: About;
  /** It empties itself after it was sent; else what was typed stays, for a form that was refused is filled in once. */
  isEmptied?: boolean;
  /** One act with few words: its lines stand close together. */
  isShort?: boolean;
  children: ReactNode;
}

/** Lines to fill in, one below the other. */
export function Form({ action, onGoOn, about = {}, isEmptied = false, isShort = false, children }: FormProps): ReactElement {
  return (
    <form
      {...(action && { action })}
      className={clsx(styles.form, isShort && styles.short)}
      onReset={(event) => !isEmptied && event.preventDefault()}
      onSubmit={(event) => {
        if (onGoOn === undefined) return;
        event.preventDefault();
        onGoOn();
      }}
    >
      <SentAlong about={about} />
      {children}
    </form>
  );
}
