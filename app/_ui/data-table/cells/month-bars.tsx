import type { ReactElement } from 'react';
import type { MonthCell } from '../table-words.ts';
import styles from './month-bars.module.css';

const STEP = 14;
const HEIGHT = 24;
const BASE = 18;

/** Six small bars, one a month, this month's last and darkest; what was owed back hangs below the line. The figures are in its label. */
export function MonthBars({ months }: { months: MonthCell[] }): ReactElement | null {
  if (months.every((month) => month.height === null)) return null;
  const label = months.map((month) => month.label).join(', ');
  return (
    <svg width={STEP * months.length} height={HEIGHT} role="img" aria-label={label} className={styles.bars}>
      <title>{label}</title>
      {months.map(({ height, label: key }, index) => (
        <Bar key={key} x={index * STEP} height={height} isLast={index === months.length - 1} />
      ))}
    </svg>
  );
}

function Bar({ x, height, isLast }: { x: number; height: number | null; isLast: boolean }): ReactElement {
  if (height === null) return <rect x={x} y={BASE - 1} width={10} height={1} className={styles.none} />;
  const length = Math.max(1.5, Math.abs(height) * (height < 0 ? HEIGHT - BASE : BASE));
  return (
    <rect
      x={x}
      y={height < 0 ? BASE : BASE - length}
      width={10}
      height={length}
      rx={1.5}
      className={height < 0 ? styles.below : isLast ? styles.last : styles.bar}
    />
  );
}
