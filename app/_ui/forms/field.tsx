import { clsx } from 'clsx';
import { type ReactElement, type ReactNode, useId } from 'react';
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
  type?: 'text' | 'email' | 'password' | 'tel';
  autoComplete: string;
  hint?: string;
  error?: string | undefined;
  defaultValue?: string;
  isFixed?: boolean;
  isOptional?: boolean;
  lengthMax?: number;
}

/** A line of text, required unless it is optional. */
export function TextField({
  label,
  hint,
  error,
  isFixed = false,
  isOptional = false,
  lengthMax,
  type = 'text',
  ...line
}: TextFieldProps): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <input {...control} {...line} type={type} readOnly={isFixed} required={!isOptional} maxLength={lengthMax} />}
    </Field>
  );
}

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  /** What it means, in a sentence below the label. */
  note?: string;
  isDisabled?: boolean;
}

export interface ChoicesProps<Value extends string> {
  name: string;
  choices: readonly Choice<Value>[];
  /** The chosen value. With `onChoose` the page controls it; otherwise it is the initial value. */
  chosen: Value | null;
  onChoose?: (value: Value) => void;
  isRequired?: boolean;
  /** `main`: the form is about this choice, and each option has its own box. */
  kind?: 'plain' | 'main';
}

/** A choice of one out of a few, as radio buttons. */
export function Choices<Value extends string>(props: ChoicesProps<Value>): ReactElement {
  const { name, choices, chosen, onChoose, isRequired = false, kind = 'plain' } = props;
  const id = useId();
  return (
    <>
      {choices.map(({ value, label, note, isDisabled = false }) => (
        <label key={value} className={clsx(styles.choice, kind === 'main' && styles.boxed)} htmlFor={`${id}-${value}`}>
          <input
            id={`${id}-${value}`}
            type="radio"
            name={name}
            value={value}
            required={isRequired}
            disabled={isDisabled}
            {...(onChoose ? { checked: value === chosen, onChange: () => onChoose(value) } : { defaultChecked: value === chosen })}
          />
          <span>
            <span className={styles.name}>{label}</span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </span>
        </label>
      ))}
    </>
  );
}

export interface MultiChoicesProps {
  choices: readonly { /** Its name in the form, where it is `yes`. */ name: string; label: string; note?: string; isChosen: boolean }[];
}

/** A choice of any out of a few, as checkboxes. */
export function MultiChoices({ choices }: MultiChoicesProps): ReactElement {
  const id = useId();
  return (
    <>
      {choices.map(({ name, label, note, isChosen }) => (
        <label key={name} className={styles.choice} htmlFor={`${id}-${name}`}>
          <input id={`${id}-${name}`} type="checkbox" name={name} value="yes" defaultChecked={isChosen} />
          <span>
            <span className={styles.name}>{label}</span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </span>
        </label>
      ))}
    </>
  );
}

export interface CheckboxProps {
  /** Name in the form; without it the value is not sent. */
  name?: string;
  /** Value that is sent. */
  value?: string;
  /** Without it and `onCheck`, the browser holds the state. */
  isChecked?: boolean;
  onCheck?: (isChecked: boolean) => void;
  isRequired?: boolean;
  /** Marks a confirmation of a loss. */
  isWarning?: boolean;
  children: ReactNode;
}

/** A checkbox with a sentence to confirm. */
export function Checkbox({
  name,
  value = 'yes',
  isChecked,
  onCheck,
  isRequired = false,
  isWarning = false,
  children,
}: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <label className={clsx(styles.checkbox, isWarning && styles.warning)} htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={isChecked}
        required={isRequired}
        onChange={onCheck && ((event) => onCheck(event.target.checked))}
      />
      {children}
    </label>
  );
}
