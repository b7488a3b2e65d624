import { clsx } from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import styles from './effects.module.css';

export interface EffectRowProps {
  label: string;
  note?: string | null;
  /** The one line that matters most. */
  isStrong?: boolean;
  children: ReactNode;
}

/** One thing a refund does. */
export function EffectRow({ label, note = null, isStrong = false, children }: EffectRowProps): ReactElement {
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <dd className={clsx(styles.value, isStrong && styles.strong)}>
        {children}
        {note !== null && <span className={styles.note}>{note}</span>}
      </dd>
    </div>
  );
}
