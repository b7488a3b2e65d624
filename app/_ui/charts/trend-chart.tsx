import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '#app/_ui/figures/money.tsx';
import { formatMonth } from '../figures/format.ts';
import {
  chartScale,
  drawingOf,
  type FlowStep,
  flowSpans,
  formatTick,
  labelOf,
  offsetOf,
  type Scale,
  scaleOf,
  type TrendMonth,
  type TrendSeries,
  trendPoint,
} from './chart-series.ts';
import styles from './charts.module.css';
import { InteractiveChart } from './interactive-chart.tsx';

/** Height of the plot, the space above it, and the space for labels below, in pixels. */
export const PLOT = { height: 130, top: 12, foot: 26 };

/** Height of a drawing, in pixels. */
export const HEIGHT = PLOT.top + PLOT.height + PLOT.foot;

interface TrendChartProps {
  label: string;
  /** What each of the three is called. */
  names: TrendSeries;
  months: TrendMonth[];
  timeZone: string;
}

/**
 * Amounts by month: a bar up from zero, a bar down from it and a line. Every month is a link named by its figures. Positions across are in per
 * cent, so that one drawing fits every width.
 */
export function TrendChart({ label, names, months, timeZone }: TrendChartProps): ReactElement {
  const scale = scaleOf(months);
  const points = months.map((month) => trendPoint(month, names));
  return (
    <figure>
      <Legend names={names} timeZone={timeZone} />
      <div className={styles.plot}>
        <InteractiveChart
          label={label}
          keys="Press the left and right arrow keys to move between months, Enter to open one."
          points={points}
          height={HEIGHT}
        >
          <svg className={styles.svg} width="100%" height={HEIGHT}>
            <pattern id="still-open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="6" className={styles.hatch} />
            </pattern>
            <Grid scale={scale} />
            {months.map((month, index) => (
              <a key={month.month} href={month.href} className={styles.month} aria-label={points[index]?.link?.label}>
                <Month month={month} index={index} count={months.length} scale={scale} />
              </a>
            ))}
            <Line months={months} scale={scale} />
          </svg>
        </InteractiveChart>
      </div>
    </figure>
  );
}

function Legend({ names, timeZone }: Pick<TrendChartProps, 'names' | 'timeZone'>): ReactElement {
  return (
    <figcaption className={styles.legend}>
      <Key mark={styles.upKey} word={names.up} />
      <Key mark={styles.downKey} word={names.down} />
      <Key mark={styles.lineKey} word={names.line} />
      <Key mark={styles.openKey} word="Open" />
      <span className={styles.unit}>USD, months in {timeZone}</span>
    </figcaption>
  );
}

/** A name of the legend with its mark. */
export function Key({ mark, word }: { mark: string | undefined; word: string }): ReactElement {
  return (
    <span className={styles.key}>
      <i className={mark} aria-hidden="true" />
      {word}
    </span>
  );
}

/** The round values: a line over the whole width and its label to the left of it. */
export function Grid({ scale }: { scale: Scale }): ReactElement {
  return (
    <g aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1="0" x2="100%" y1={offset(tick, scale)} y2={offset(tick, scale)} className={tick === 0 ? styles.zero : styles.grid} />
          <text x="-6" y={offset(tick, scale) + 4} className={styles.tick} textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

interface MonthProps {
  month: TrendMonth;
  index: number;
  /** Months in the chart. */
  count: number;
  scale: Scale;
}

/** One month over the whole height: its two bars or the dash of one without figures, and its label. */
function Month({ month, index, count, scale }: MonthProps): ReactElement {
  const width = 100 / count;
  const middle = `${(index + 0.5) * width}%`;
  const drawing = drawingOf(month);
  const bar = { x: `${(index + 0.24) * width}%`, width: `${0.52 * width}%`, rx: 2 };
  const label = labelOf(index, count);
  return (
    <>
      <rect x={`${index * width}%`} width={`${width}%`} height={HEIGHT} rx="6" className={styles.hit} />
      {drawing === null ? (
        <text x={middle} y={offset(0, scale) - 6} className={styles.missing} textAnchor="middle">
          –
        </text>
      ) : (
        <>
          <rect
            {...bar}
            {...span(0, drawing.up, scale)}
            {...(month.isOpen ? { fill: 'url(#still-open)', className: styles.open } : { className: styles.up })}
          />
          <rect {...bar} {...span(0, drawing.down, scale)} className={clsx(styles.down, month.isOpen && styles.faint)} />
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
    </>
  );
}

/** From month to month; it breaks where a month has no figures and is dashed into an open month. */
function Line({ months, scale }: { months: TrendMonth[]; scale: Scale }): ReactElement {
  const points = months.map((month, index) => {
    const drawing = drawingOf(month);
    const x = `${((index + 0.5) * 100) / months.length}%`;
    return drawing === null ? null : { key: month.month, x, y: offset(drawing.line, scale), isOpen: month.isOpen };
  });
  return (
    <g className={styles.line} aria-hidden="true">
      {points.map((point, index) => {
        const before = points[index - 1];
        if (!point || !before) return null;
        return (
          <line
            key={point.key}
            x1={before.x}
            y1={before.y}
            x2={point.x}
            y2={point.y}
            className={clsx(styles.segment, point.isOpen && styles.dashed)}
          />
        );
      })}
      {points.map((point) => point && <circle key={point.key} cx={point.x} cy={point.y} r="3" className={styles.point} />)}
    </g>
  );
}

/** The offset of a value from the top of the drawing, in pixels. */
export function offset(value: number, scale: Scale): number {
  return PLOT.top + offsetOf(value, scale, PLOT.height);
}

/** Where a bar between two values lies. */
export function span(from: number, to: number, scale: Scale): { y: number; height: number } {
  const top = offset(Math.max(from, to), scale);
  return { y: top, height: offset(Math.min(from, to), scale) - top };
}

/** Height of the bars, in pixels. */
const FLOW_HEIGHT = 72;

const BAR: Record<FlowStep['kind'], string | undefined> = { whole: styles.wholeBar, taken: styles.takenBar, kept: styles.keptBar };

/** What becomes of an amount step by step: bars with every figure as text below. */
export function FlowChart({ label, steps }: { label: string; steps: FlowStep[] }): ReactElement {
  const points = steps.map(({ label: title, amount }) => ({ key: title, title, figures: [{ label: 'USD', amount }] }));
  return (
    <div className={styles.flow}>
      <InteractiveChart
        label={label}
        keys="Press the left and right arrow keys to move between steps."
        points={points}
        height={FLOW_HEIGHT}
      >
        <Bars steps={steps} />
      </InteractiveChart>
      <dl className={styles.list}>
        {steps.map((step) => (
          <div key={step.label} className={styles.step}>
            <dt className={styles.stepLabel}>{step.label}</dt>
            <dd className={styles.amount}>
              <Money amount={step.amount} size="fact" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Bars({ steps }: { steps: FlowStep[] }): ReactElement {
  const spans = flowSpans(steps);
  const scale = chartScale(spans.flatMap(({ from, to }) => [from, to]));
  return (
    <div className={styles.bars} style={{ height: FLOW_HEIGHT }} aria-hidden="true">
      {spans.map(({ label, kind, from, to }) => {
        const top = offsetOf(Math.max(from, to), scale, FLOW_HEIGHT);
        const height = Math.max(from === to ? 1 : 2, offsetOf(Math.min(from, to), scale, FLOW_HEIGHT) - top);
        return (
          <div key={label} className={styles.column}>
            <span className={clsx(styles.bar, BAR[kind])} style={{ top: Math.min(top, FLOW_HEIGHT - height), height }} />
          </div>
        );
      })}
      <span className={styles.zeroLine} style={{ top: offsetOf(0, scale, FLOW_HEIGHT) }} />
    </div>
  );
}
