import type { ReactElement, ReactNode } from 'react';
import styles from './forms.module.css';

/** Fields that answer one question, under that question. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }): ReactElement {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  );
}
