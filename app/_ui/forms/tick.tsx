import { clsx } from 'clsx';
import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './forms.module.css';

export interface TickProps {
  /** By which the form sends it; left out: it is not sent. */
  name?: string;
  /** What it is sent as. */
  value?: string;
  /** Left out with `onTick`: the browser keeps it. */
  isTicked?: boolean;
  onTick?: (isTicked: boolean) => void;
  isRequired?: boolean;
  /** It confirms a loss. */
  isGrave?: boolean;
  children: ReactNode;
}

/** One sentence to agree to. */
export function Tick({ name, value = 'yes', isTicked, onTick, isRequired = false, isGrave = false, children }: TickProps): ReactElement {
  const id = useId();
  return (
    <label className={clsx(styles.tick, isGrave && styles.grave)} htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={isTicked}
        required={isRequired}
        onChange={onTick && ((event) => onTick(event.target.checked))}
      />
      {children}
    </label>
  );
}
