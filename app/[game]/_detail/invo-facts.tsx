import type { ReactElement, ReactNode } from 'react';
import styles from './invo-facts.module.css';
import { InvoField } from './invo-field.tsx';

export interface InvoFact {
  label: string;
  /** null: Invo did not say. */
  value: ReactNode;
  /** Invo's own field; left out where the figure is no single one of Invo's. */
  field?: string;
  /** A few quiet words beneath. */
  note?: ReactNode;
}

/** Facts as Invo gives them, each with its field name; what was not said is told as such, never as zero. */
export function InvoFacts({ facts }: { facts: InvoFact[] }): ReactElement {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value, field, note }) => (
        <div key={label} className={styles.fact}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>
            <Value field={field} value={value ?? <span className={styles.missing}>not recorded</span>} />
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ field, value }: { field: string | undefined; value: ReactNode }): ReactElement {
  return field === undefined ? <>{value}</> : <InvoField name={field}>{value}</InvoField>;
}
