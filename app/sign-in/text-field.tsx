import { type ReactElement, useId } from 'react';
import styles from './text-field.module.css';

export interface TextFieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  /** What is asked for, before anything is wrong. */
  hint?: string;
  /** What is wrong with what was sent, in a sentence. */
  fault?: string | undefined;
  defaultValue?: string;
  isFixed?: boolean;
  lengthMax?: number;
}

/** One line to fill in, with its label above and what is wrong with it beneath. */
export function TextField({
  name,
  label,
  type = 'text',
  autoComplete,
  hint,
  fault,
  defaultValue,
  isFixed = false,
  lengthMax,
}: TextFieldProps): ReactElement {
  const id = useId();
  const words = fault ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        autoComplete={autoComplete}
        className={styles.input}
        defaultValue={defaultValue}
        readOnly={isFixed}
        required
        maxLength={lengthMax}
        aria-invalid={fault !== undefined}
        aria-describedby={words === undefined ? undefined : `${id}-words`}
      />
      {words !== undefined && (
        <p id={`${id}-words`} className={fault === undefined ? styles.hint : styles.fault} role={fault === undefined ? undefined : 'alert'}>
          {words}
        </p>
      )}
    </div>
  );
}
