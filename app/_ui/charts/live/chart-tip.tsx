import type { ReactElement, ReactNode } from 'react';
import { Money } from '#app/_ui/figures/money.tsx';
import styles from './chart-tip.module.css';

interface ChartTipProps {
  title: string;
  /** A few words about it. */
  note?: string;
  /** Exact amounts in USD. */
  figures: { label: string; amount: string }[];
  children?: ReactNode;
}

/** The figures of what is pointed at, exactly as reported, read out when they change. */
export function ChartTip({ title, note, figures, children }: ChartTipProps): ReactElement {
  return (
    <div className={styles.tip} role="status">
      <p className={styles.title}>{title}</p>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {figures.length > 0 && (
        <dl className={styles.figures}>
          {figures.map(({ label, amount }) => (
            <div key={label} className={styles.figure}>
              <dt>{label}</dt>
              <dd>
                <Money amount={amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </div>
  );
}
