'use client';

import { type ReactElement, useId } from 'react';
import styles from '../_change/change.module.css';

/** Where a new price is typed. */
export function PriceField({
  text,
  onChange,
  fault,
}: {
  text: string;
  onChange: (text: string) => void;
  fault: string | null;
}): ReactElement {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        New price, USD
      </label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        className={`${styles.input} ${styles.amount}`}
        value={text}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-words`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-words`} className={fault === null ? styles.hint : styles.fault}>
        {fault ?? 'Above zero, in whole cents, such as 12.50.'}
      </p>
    </div>
  );
}
