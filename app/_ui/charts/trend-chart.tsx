import type { ReactElement } from 'react';
import { chartScale, formatTick } from './chart-scale.ts';
import { NetLine } from './net-line.tsx';
import { TrendBars } from './trend-bars.tsx';
import styles from './trend-chart.module.css';
import { drawingOf, heightOf, PLOT, type TrendMonth } from './trend-month.ts';

const HEIGHT = PLOT.top + PLOT.height + PLOT.foot;

/**
 * Attributed amounts of each month in its order: what was earned upwards, what was reversed downwards in the month of the refund, the net as a line.
 * Drawn on the server; every month is a link that says its figures when it is pointed at or reached by keyboard.
 */
export function TrendChart({ months, timeZone }: { months: TrendMonth[]; timeZone: string }): ReactElement {
  const scale = chartScale(months.flatMap((month) => Object.values(drawingOf(month) ?? {})));
  const step = Math.ceil(months.length / 14);
  return (
    <figure>
      <Legend timeZone={timeZone} />
      <div className={styles.plot}>
        <svg className={styles.axis} width="48" height={HEIGHT} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <text key={tick} x="42" y={heightOf(tick, scale) + 4} className={styles.tick} textAnchor="end">
              {formatTick(tick)}
            </text>
          ))}
        </svg>
        <svg
          className={styles.drawing}
          width="100%"
          height={HEIGHT}
          role="group"
          aria-label="Attributed by month, in USD; the table beneath has the same figures"
        >
          <defs>
            <pattern id="still-open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="6" className={styles.hatch} />
            </pattern>
          </defs>
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2="100%"
              y1={heightOf(tick, scale)}
              y2={heightOf(tick, scale)}
              className={tick === 0 ? styles.zero : styles.grid}
            />
          ))}
          {months.map((month, place) => {
            const fromLast = months.length - 1 - place;
            const label = fromLast % step === 0 ? (fromLast % (3 * step) === 0 ? 'always' : 'wide') : 'none';
            return <TrendBars key={month.month} month={month} place={place} count={months.length} scale={scale} label={label} />;
          })}
          <NetLine months={months} scale={scale} />
        </svg>
      </div>
    </figure>
  );
}

function Legend({ timeZone }: { timeZone: string }): ReactElement {
  return (
    <figcaption className={styles.legend}>
      <Key mark={styles.grossKey} word="Earned" />
      <Key mark={styles.reversedKey} word="Reversed, in the month of the refund" />
      <Key mark={styles.netKey} word="Net" />
      <Key mark={styles.openKey} word="Still open" />
      <span className={styles.unit}>USD, months of {timeZone}</span>
    </figcaption>
  );
}

function Key({ mark, word }: { mark: string | undefined; word: string }): ReactElement {
  return (
    <span className={styles.key}>
      <i className={mark} aria-hidden="true" />
      {word}
    </span>
  );
}
