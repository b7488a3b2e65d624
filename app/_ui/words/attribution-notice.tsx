import type { ReactElement } from 'react';
import styles from './attribution-notice.module.css';

/** The notice that travels with every figure (document 2, attribution reporting: not a remittance advice, the payer is the partner). */
export function AttributionNotice(): ReactElement {
  return (
    <p className={styles.notice}>
      Attribution report, not a remittance advice. Invo settles to the partner only and has paid no recipient; the payer is you.
    </p>
  );
}
