import type { ReactElement } from 'react';
import { Money } from '../figures/money.tsx';
import styles from './charts.module.css';

export interface LiveChartProps {
  label: string;
  /** Of the box it fills, in pixels. */
  width: number;
  height: number;
  /** Which month or step shows its figures at first; -1: none. */
  startAt: number;
}

interface ChartTipProps {
  title: string;
  /** Its state. */
  note?: string;
  /** Exact amounts in USD. */
  figures: { label: string; amount: string }[];
}

/** The exact figures of the highlighted month or step, announced when they change. */
export function ChartTip({ title, note, figures }: ChartTipProps): ReactElement {
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
    </div>
  );
}
