'use client';

import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './forms.module.css';

export interface FormProps {
  /** Receives the entries. Without it nothing is sent, and `onContinue` opens the next step. */
  action?: (form: FormData) => void;
  onContinue?: () => void;
  /** Hidden values that are sent along. */
  about?: HiddenValues;
  /** Clears the entries after sending. By default they stay, so that a refused form isn't filled in twice. */
  isEmptied?: boolean;
  /** A short form for one action, with less space between its lines. */
  isShort?: boolean;
  children: ReactNode;
}

/** A form with its fields in one column. */
export function Form({ action, onContinue, about = {}, isEmptied = false, isShort = false, children }: FormProps): ReactElement {
  return (
    <form
      {...(action && { action })}
      className={clsx(styles.form, isShort && styles.short)}
      onReset={(event) => !isEmptied && event.preventDefault()}
      onSubmit={(event) => {
        if (onContinue === undefined) return;
        event.preventDefault();
        onContinue();
      }}
    >
      <HiddenFields about={about} />
      {children}
    </form>
  );
}

/** The buttons at the end of a form. */
export function FormButtons({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.buttons}>{children}</div>;
}

/** Fields that belong together, under a legend. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }): ReactElement {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** A hint that belongs to no single field. */
export function Hint({ children }: { children: ReactNode }): ReactElement {
  return <p className={styles.hint}>{children}</p>;
}

/** An error that belongs to no single field, read out when it appears; null: none. */
export function FieldError({ children }: { children: string | null }): ReactElement {
  return (
    <p className={styles.error} role="alert">
      {children}
    </p>
  );
}

export type HiddenValues = Readonly<Record<string, string | number>>;

/** Hidden values of a form, by name. */
export function HiddenFields({ about }: { about: HiddenValues }): ReactElement {
  return (
    <>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
