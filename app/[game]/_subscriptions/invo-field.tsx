import type { ReactElement, ReactNode } from 'react';
import { FieldName } from './field-name.tsx';
import styles from './field-names.module.css';

/** One figure of Invo's with its own field name: on hover, and written beneath it while the page's switch says so. */
export function InvoField({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <span className={styles.field} title={name}>
      {children}
      <code className={styles.name}>
        <FieldName name={name} />
      </code>
    </span>
  );
}
