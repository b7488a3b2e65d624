import { clsx } from 'clsx';
import { type ReactElement, useId } from 'react';
import styles from './forms.module.css';

/** The attributes an input, select or textarea gets from its field. */
interface Control {
  id: string;
  className: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

export interface FieldProps {
  label: string;
  /** What to enter, shown while there is no error. */
  hint?: string | undefined;
  /** What is wrong with the entry, in a sentence. */
  error?: string | null | undefined;
  /** The length used, such as `12 of 500`. */
  count?: string;
  /** An amount of money, shown large. */
  isAmount?: boolean;
  /** One of a list of short choices: its label is beside it where there is room. */
  isInline?: boolean;
  children: (control: Control) => ReactElement;
}

/** One field: its label, then a hint or an error, which is read out when it appears. */
export function Field({ label, hint, error, count, isAmount = false, isInline = false, children }: FieldProps): ReactElement {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={clsx(styles.field, isInline && styles.inline)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        className: clsx(styles.control, isAmount && styles.amount),
        'aria-invalid': Boolean(error),
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <div className={styles.beneath}>
          {error ? (
            <p id={`${id}-note`} className={styles.error} role="alert">
              {error}
            </p>
          ) : (
            <p id={`${id}-note`} className={styles.hint}>
              {hint}
            </p>
          )}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </div>
      )}
    </div>
  );
}

export interface TextFieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  hint?: string;
  error?: string | undefined;
  defaultValue?: string;
  isFixed?: boolean;
  lengthMax?: number;
}

/** A required line of text. */
export function TextField({ label, hint, error, isFixed = false, lengthMax, type = 'text', ...line }: TextFieldProps): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...control} {...line} type={type} readOnly={isFixed} required maxLength={lengthMax} />}
    </Field>
  );
}
