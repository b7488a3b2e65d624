'use client';

import { type ReactElement, type ReactNode, useState } from 'react';
import styles from './invo-fields.module.css';

/** A page of Invo's figures with a switch that shows each one's field name below it. */
export function FieldNames({ children }: { children: ReactNode }): ReactElement {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className={styles.page} data-field-names={isShown ? 'shown' : undefined}>
      <button type="button" className={styles.switch} aria-pressed={isShown} onClick={() => setIsShown(!isShown)} data-print="no">
        {isShown ? 'Hide' : 'Show'} Invo’s field names
      </button>
      {children}
    </div>
  );
}
