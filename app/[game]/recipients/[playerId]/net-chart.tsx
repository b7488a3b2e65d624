import type { ReactElement } from 'react';
import type { RecipientMonth } from '../../../../db/queries/recipient-history.ts';
import { formatMoney, negateMoney } from '../../../../lib/domain/money.ts';
import { formatMonth } from '../../../_ui/figures/format-instant.ts';
import styles from './net-chart.module.css';

const MONTHS_SHOWN = 24;
const STEP = 36;
const BAR = 14;
const HEIGHT = 150;
const LABEL = 20;

/** Earned above the line, reversed below it in the month of the refund, net as a mark; an open month is hatched. The table beneath holds the figures. */
export function NetChart({ months }: { months: RecipientMonth[] }): ReactElement {
  const shown = months.slice(0, MONTHS_SHOWN).toReversed();
  const up = Math.max(0, ...shown.map((month) => Number(month.earned)));
  const down = Math.max(0, ...shown.map((month) => Number(month.reversed)));
  const scale = up + down === 0 ? 0 : HEIGHT / (up + down);
  const zero = up * scale;
  const width = Math.max(STEP * shown.length, STEP * 6);
  return (
    <div className={styles.frame} role="region" aria-label="Net by month, drawn" tabIndex={0}>
      <svg
        width={width}
        height={HEIGHT + LABEL}
        role="img"
        aria-label="Earned, reversed and net by month; the table beneath has the figures"
        className={styles.chart}
      >
        <defs>
          <pattern id="open-month" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="2.5" height="5" className={styles.earned} />
          </pattern>
        </defs>
        <line x1={0} x2={width} y1={zero} y2={zero} className={styles.axis} />
        {shown.map((month, index) => {
          const x = index * STEP + (STEP - BAR) / 2;
          const [earned, reversed, net] = [Number(month.earned) * scale, Number(month.reversed) * scale, zero - Number(month.net) * scale];
          return (
            <g key={month.month}>
              <title>{`${formatMonth(month.month)}: earned ${formatMoney(month.earned)}, reversed ${formatMoney(negateMoney(month.reversed))}, net ${formatMoney(month.net)}`}</title>
              <rect
                x={x}
                y={zero - earned}
                width={BAR}
                height={earned}
                rx={2}
                className={month.standing === 'complete' ? styles.earned : styles.open}
              />
              <rect x={x} y={zero} width={BAR} height={reversed} rx={2} className={styles.reversed} />
              <line x1={x - 5} x2={x + BAR + 5} y1={net} y2={net} className={styles.net} />
              <text x={x + BAR / 2} y={HEIGHT + 15} textAnchor="middle" className={styles.label}>
                {formatMonth(month.month, 'short').slice(0, 3)}
              </text>
            </g>
          );
        })}
      </svg>
      <p className={styles.legend}>
        <span className={styles.isEarned}>earned</span> <span className={styles.isReversed}>reversed, in the month of the refund</span>{' '}
        <span className={styles.isNet}>net</span>
        {shown.some((month) => month.standing !== 'complete') && <span>; hatched: not complete</span>}
      </p>
    </div>
  );
}
