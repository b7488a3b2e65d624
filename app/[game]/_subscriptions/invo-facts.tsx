import type { ReactElement, ReactNode } from 'react';
import { Facts } from '#app/_ui/figures/facts.tsx';
import styles from './detail.module.css';
import { InvoField } from './invo-field.tsx';

export interface InvoFact {
  label: string;
  /** null: Invo did not say. */
  value: ReactNode;
  /** Invo's own field; left out where the figure is no single one of Invo's. */
  field?: string;
  /** A few quiet words beneath. */
  note?: ReactNode;
  /** An id or an address. */
  isWide?: true;
}

/** Facts as Invo gives them, each with its field name; what was not said is told as such, never as zero. */
export function InvoFacts({ facts }: { facts: InvoFact[] }): ReactElement {
  return <Facts columns="many" facts={facts.map(({ field, value, ...fact }) => ({ ...fact, value: showValue(value, field) }))} />;
}

function showValue(value: ReactNode, field: string | undefined): ReactNode {
  const said = value ?? <span className={styles.missing}>not recorded</span>;
  return field === undefined ? said : <InvoField name={field}>{said}</InvoField>;
}
