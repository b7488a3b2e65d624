import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMonth } from '../figures/format.ts';
import {
  drawingOf,
  formatTick,
  formatTrendMonth,
  heightOf,
  labelOf,
  PLOT,
  type Scale,
  scaleOf,
  TREND_HEIGHT,
  type TrendMonth,
} from './chart-series.ts';
import styles from './charts.module.css';
import { HydrateOnInteraction } from './hydrate-on-interaction.tsx';

const LABEL = 'Attributed by month in USD; the table below has the same figures';

/**
 * Attributed amounts by month: gross upwards, reversed downwards in the month of the refund, the net as a line. The placeholder is a still SVG in
 * which every month is a link labelled with its figures; Recharts replaces it on the first interaction.
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
        <HydrateOnInteraction chart={{ kind: 'trend', months }} label={LABEL} height={TREND_HEIGHT}>
          <Drawing months={months} scale={scale} />
        </HydrateOnInteraction>
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
      <Key mark={styles.grossKey} word="Gross" />
      <Key mark={styles.reversedKey} word="Reversed" />
      <Key mark={styles.netKey} word="Net attributed" />
      <Key mark={styles.openKey} word="Open" />
      <span className={styles.unit}>USD, months in {timeZone}</span>
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

interface TrendBarsProps {
  month: TrendMonth;
  place: number;
  /** Months in the chart. */
  count: number;
  scale: Scale;
  /** Whether it is labelled: always, on wide screens, or not at all. */
  label: 'always' | 'wide' | 'none';
}

/** One month of the placeholder: a link over its whole height, its two bars, its label, and its figures when focused. */
function TrendBars({ month, place, count, scale, label }: TrendBarsProps): ReactElement {
  const width = 100 / count;
  const middle = `${(place + 0.5) * width}%`;
  const sentence = formatTrendMonth(month);
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
      <text x="0" y="14" className={styles.focusLabel} aria-hidden="true">
        {sentence}
      </text>
    </a>
  );
}

function span(from: number, to: number, scale: Scale): { y: number; height: number } {
  const top = heightOf(Math.max(from, to), scale);
  return { y: top, height: heightOf(Math.min(from, to), scale) - top };
}

/** The net from month to month; it breaks where a month has no figures and is dashed into an open month. */
function NetLine({ months, scale }: { months: TrendMonth[]; scale: Scale }): ReactElement {
  const points = months.map((month, place) => {
    const drawing = drawingOf(month);
    const x = `${((place + 0.5) * 100) / months.length}%`;
    return drawing === null ? null : { key: month.month, x, y: heightOf(drawing.net, scale), isOpen: month.isOpen };
  });
  return (
    <g className={styles.net} aria-hidden="true">
      {points.map((point, place) => {
        const before = points[place - 1];
        if (!point || !before) return null;
        return (
          <line
            key={point.key}
            x1={before.x}
            y1={before.y}
            x2={point.x}
            y2={point.y}
            className={clsx(styles.line, point.isOpen && styles.dashed)}
          />
        );
      })}
      {points.map((point) => point && <circle key={point.key} cx={point.x} cy={point.y} r="3" className={styles.point} />)}
    </g>
  );
}
