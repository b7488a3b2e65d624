'use client';

import { type ReactElement, useId } from 'react';
import styles from '../_change/change.module.css';

// Document 2, Limits; a browser counts as the server does.
const LENGTH_MAX = 500;

/** Free words for Invo's record, with how many are left. */
export function ReasonField({ value, onChange, fault }: { value: string; onChange: (text: string) => void; fault: boolean }): ReactElement {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        Reason, if you like
      </label>
      <textarea
        id={id}
        className={styles.input}
        rows={3}
        maxLength={LENGTH_MAX}
        value={value}
        aria-invalid={fault}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className={styles.hintRow}>
        <span className={styles.hint}>Invo keeps it and sends it on. No names, addresses or card numbers.</span>
        <span className={styles.hint}>
          {value.length} of {LENGTH_MAX}
        </span>
      </p>
    </div>
  );
}
