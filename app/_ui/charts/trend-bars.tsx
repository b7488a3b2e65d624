import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMonth } from '../figures/format-instant.ts';
import type { Scale } from './chart-scale.ts';
import styles from './trend-bars.module.css';
import { drawingOf, heightOf, PLOT, sentenceOf, type TrendMonth } from './trend-month.ts';

interface TrendBarsProps {
  month: TrendMonth;
  place: number;
  /** Months in the chart. */
  count: number;
  scale: Scale;
  /** Whether its name stands beneath: always, on wide screens, or not at all. */
  label: 'always' | 'wide' | 'none';
}

/** One month of the trend: a link over its whole height, its two bars, its name, and its figures when it is reached. */
export function TrendBars({ month, place, count, scale, label }: TrendBarsProps): ReactElement {
  const width = 100 / count;
  const middle = `${(place + 0.5) * width}%`;
  const sentence = sentenceOf(month);
  const drawing = drawingOf(month);
  const bar = { x: `${(place + 0.24) * width}%`, width: `${0.52 * width}%`, rx: 2 };
  return (
    <a href={month.href} className={styles.month} aria-label={sentence}>
      <rect
        x={`${place * width}%`}
        y={PLOT.top - 6}
        width={`${width}%`}
        height={PLOT.height + PLOT.foot + 4}
        rx="6"
        className={styles.hit}
      />
      {drawing === null ? (
        <text x={middle} y={heightOf(0, scale) - 6} className={styles.missing} textAnchor="middle" aria-hidden="true">
          –
        </text>
      ) : (
        <>
          <rect
            {...bar}
            {...span(0, drawing.gross, scale)}
            {...(month.isOpen ? { fill: 'url(#still-open)', className: styles.open } : { className: styles.gross })}
          />
          <rect {...bar} {...span(0, drawing.reversed, scale)} className={clsx(styles.reversed, month.isOpen && styles.faint)} />
        </>
      )}
      {label !== 'none' && (
        <text
          x={middle}
          y={PLOT.top + PLOT.height + 17}
          textAnchor="middle"
          className={clsx(styles.label, label === 'wide' && styles.wide)}
        >
          {formatMonth(month.month, 'short')}
        </text>
      )}
      <text x="0" y="14" className={styles.told} aria-hidden="true">
        {sentence}
      </text>
    </a>
  );
}

function span(from: number, to: number, scale: Scale): { y: number; height: number } {
  const top = heightOf(Math.max(from, to), scale);
  return { y: top, height: heightOf(Math.min(from, to), scale) - top };
}
