import { clsx } from 'clsx';
import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './forms.module.css';

interface Choice<Value extends string> {
  value: Value;
  label: ReactNode;
  /** What it means, in a sentence beneath. */
  note?: string;
  isDisabled?: boolean;
}

export interface ChoicesProps<Value extends string> {
  name: string;
  choices: readonly Choice<Value>[];
  /** What is chosen; with `onChoose` the page keeps it, else the form does and this is where it begins. */
  chosen: Value | null;
  onChoose?: (value: Value) => void;
  isRequired?: boolean;
  /** `main`: the form is about this choice, and each stands in its own box. */
  kind?: 'plain' | 'main';
}

/** One out of a few, all of them in sight. */
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
