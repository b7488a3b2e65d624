import type { ReactElement } from 'react';
import { formatTick, type Scale } from './chart-scale.ts';
import { Reach } from './live/reach.tsx';
import { NetLine } from './net-line.tsx';
import { TrendBars } from './trend-bars.tsx';
import styles from './trend-chart.module.css';
import { heightOf, labelOf, scaleOf, TREND_HEIGHT, type TrendMonth } from './trend-month.ts';

const LABEL = 'Attributed by month, in USD; the table beneath has the same figures';

/**
 * Attributed amounts of each month in its order: what was earned upwards, what was reversed downwards in the month of the refund, the net as a line.
 * Drawn on the server, every month a link that says its figures; by Recharts once a person reaches for it.
 */
export function TrendChart({ months, timeZone }: { months: TrendMonth[]; timeZone: string }): ReactElement {
  const scale = scaleOf(months);
  return (
    <figure>
      <Legend timeZone={timeZone} />
      <div className={styles.plot}>
        <svg className={styles.axis} width="48" height={TREND_HEIGHT} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <text key={tick} x="42" y={heightOf(tick, scale) + 4} className={styles.tick} textAnchor="end">
              {formatTick(tick)}
            </text>
          ))}
        </svg>
        <Reach chart={{ kind: 'trend', months }} label={LABEL} height={TREND_HEIGHT}>
          <Drawing months={months} scale={scale} />
        </Reach>
      </div>
    </figure>
  );
}

function Drawing({ months, scale }: { months: TrendMonth[]; scale: Scale }): ReactElement {
  return (
    <svg className={styles.drawing} width="100%" height={TREND_HEIGHT} role="group" aria-label={LABEL}>
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
      {months.map((month, place) => (
        <TrendBars
          key={month.month}
          month={month}
          place={place}
          count={months.length}
          scale={scale}
          label={labelOf(place, months.length)}
        />
      ))}
      <NetLine months={months} scale={scale} />
    </svg>
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
