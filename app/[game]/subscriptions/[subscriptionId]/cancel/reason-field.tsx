'use client';

import { type ReactElement, useId } from 'react';
import { REASON_LENGTH_MAX } from '../../../../../lib/domain/people-words.ts';
import styles from '../_change/change.module.css';

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
        maxLength={REASON_LENGTH_MAX}
        value={value}
        aria-invalid={fault}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-hint`} className={styles.hintRow}>
        <span className={styles.hint}>Invo keeps it and sends it on. No names, addresses or card numbers.</span>
        <span className={styles.hint}>
          {value.length} of {REASON_LENGTH_MAX}
        </span>
      </p>
    </div>
  );
}
