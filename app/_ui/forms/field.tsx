import { clsx } from 'clsx';
import { type ReactElement, useId } from 'react';
import styles from './forms.module.css';

/** What an input, a select or a textarea takes from the field around it. */
interface Control {
  id: string;
  className: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

export interface FieldProps {
  label: string;
  /** What is asked for, before anything is wrong. */
  hint?: string | undefined;
  /** What is wrong with what was filled in, in a sentence. */
  fault?: string | null | undefined;
  /** How much of the room is used, such as `12 of 500`. */
  count?: string;
  /** An amount of money: drawn large. */
  isAmount?: boolean;
  children: (control: Control) => ReactElement;
}

/** One thing to fill in: its label above, what is asked for beneath it, or what is wrong, read out when it comes. */
export function Field({ label, hint, fault, count, isAmount = false, children }: FieldProps): ReactElement {
  const id = useId();
  const words = fault ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        className: clsx(styles.control, isAmount && styles.amount),
        'aria-invalid': Boolean(fault),
        'aria-describedby': words === undefined ? undefined : `${id}-words`,
      })}
      {words !== undefined && (
        <div className={styles.beneath}>
          {fault ? (
            <p id={`${id}-words`} className={styles.fault} role="alert">
              {fault}
            </p>
          ) : (
            <p id={`${id}-words`} className={styles.hint}>
              {hint}
            </p>
          )}
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </div>
      )}
    </div>
  );
}
