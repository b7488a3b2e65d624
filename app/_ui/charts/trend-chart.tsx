import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatMoney, negateMoney } from '../../../lib/domain/money.ts';
import { formatMonth } from '../figures/format-instant.ts';
import { chartScale, formatTick, placeOf, type Scale, toDrawing } from './chart-scale.ts';
import styles from './trend-chart.module.css';

export interface TrendMonth {
  /** YYYY-MM. */
  month: string;
  href: string;
  /** null: never pulled, the series breaks here. */
  figures: { gross_attributed_usd: string; reversed_attributed_usd: string; net_attributed_usd: string } | null;
  /** Still moving: drawn hatched. */
  isOpen: boolean;
  /** Its state in a word. */
  word: string;
}

const HEIGHT = 190;
const TOP = 30;
const FOOT = 26;

/**
 * Attributed amounts of each month in its order: what was earned upwards, what was reversed downwards in the month of the refund, the net as a line.
 * Drawn on the server; every month is a link that says its figures when it is pointed at or reached by keyboard.
 */
export function TrendChart({ months, timeZone }: { months: TrendMonth[]; timeZone: string }): ReactElement {
  const scale = chartScale(months.flatMap(valuesOf));
  const step = Math.ceil(months.length / 14);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend}>
        <span className={styles.key}><i className={styles.grossKey} aria-hidden="true" />Earned</span>
        <span className={styles.key}><i className={styles.reversedKey} aria-hidden="true" />Reversed, in the month of the refund</span>
        <span className={styles.key}><i className={styles.netKey} aria-hidden="true" />Net</span>
        <span className={styles.key}><i className={styles.openKey} aria-hidden="true" />Still open</span>
        <span className={styles.unit}>USD, months of {timeZone}</span>
      </figcaption>
      <div className={styles.plot}>
        <svg className={styles.axis} width="48" height={TOP + HEIGHT + FOOT} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <text key={tick} x="44" y={yOf(tick, scale) + 4} className={styles.tick} textAnchor="end">
              {formatTick(tick)}
            </text>
          ))}
        </svg>
        <svg className={styles.drawing} width="100%" height={TOP + HEIGHT + FOOT} role="group" aria-label="Attributed by month, in USD; the table beneath has the same figures">
          <defs>
            <pattern id="still-open" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="3" height="6" className={styles.hatch} />
            </pattern>
          </defs>
          {scale.ticks.map((tick) => (
            <line key={tick} x1="0" x2="100%" y1={yOf(tick, scale)} y2={yOf(tick, scale)} className={tick === 0 ? styles.zero : styles.grid} />
          ))}
          {months.map((month, place) => (
            <MonthBars key={month.month} month={month} place={place} count={months.length} scale={scale} hasLabel={(months.length - 1 - place) % step === 0} />
          ))}
          <NetLine months={months} scale={scale} />
        </svg>
      </div>
    </figure>
  );
}

interface MonthBarsProps {
  month: TrendMonth;
  place: number;
  count: number;
  scale: Scale;
  hasLabel: boolean;
}

function MonthBars({ month, place, count, scale, hasLabel }: MonthBarsProps): ReactElement {
  const width = 100 / count;
  const middle = `${(place + 0.5) * width}%`;
  const sentence = sentenceOf(month);
  const [gross, reversed] = valuesOf(month);
  const bar = { x: `${(place + 0.24) * width}%`, width: `${0.52 * width}%`, rx: 2 };
  return (
    <a href={month.href} className={styles.month} aria-label={sentence}>
      <rect x={`${place * width}%`} y={TOP - 6} width={`${width}%`} height={HEIGHT + FOOT + 4} rx="6" className={styles.hit} />
      {gross !== undefined && <rect {...bar} {...span(0, gross, scale)} className={clsx(styles.gross, month.isOpen && styles.open)} />}
      {reversed !== undefined && <rect {...bar} {...span(0, reversed, scale)} className={clsx(styles.reversed, month.isOpen && styles.openReversed)} />}
      {gross === undefined && (
        <text x={middle} y={yOf(0, scale) - 6} className={styles.missing} textAnchor="middle">
          –
        </text>
      )}
      {hasLabel && (
        <text x={middle} y={TOP + HEIGHT + 17} textAnchor="middle" className={clsx(styles.label, (count - 1 - place) % 3 !== 0 && styles.wideOnly)}>
          {formatMonth(month.month, 'short').replace(/ 20/, ' ’')}
        </text>
      )}
      <text x="0" y="14" className={styles.told} aria-hidden="true">
        {sentence}
      </text>
    </a>
  );
}

function NetLine({ months, scale }: { months: TrendMonth[]; scale: Scale }): ReactElement {
  const points = months.map((month, place) => {
    const net = valuesOf(month)[2];
    return net === undefined ? null : { x: `${((place + 0.5) * 100) / months.length}%`, y: yOf(net, scale), key: month.month, isOpen: month.isOpen };
  });
  return (
    <g className={styles.net} aria-hidden="true">
      {points.map((point, place) => {
        const before = points[place - 1];
        return point && before ? <line key={point.key} x1={before.x} y1={before.y} x2={point.x} y2={point.y} className={clsx(styles.netLine, point.isOpen && styles.dashed)} /> : null;
      })}
      {points.map((point) => point && <circle key={point.key} cx={point.x} cy={point.y} r="3" className={styles.netPoint} />)}
    </g>
  );
}

function sentenceOf({ month, figures, word }: TrendMonth): string {
  if (figures === null) return `${formatMonth(month)}: ${word.toLowerCase()}`;
  const [gross, reversed, net] = [figures.gross_attributed_usd, negateMoney(figures.reversed_attributed_usd), figures.net_attributed_usd].map(formatMoney);
  return `${formatMonth(month)}: net ${net}, earned ${gross}, reversed ${reversed}`;
}

function valuesOf({ figures }: TrendMonth): number[] {
  if (figures === null) return [];
  return [figures.gross_attributed_usd, negateMoney(figures.reversed_attributed_usd), figures.net_attributed_usd].map(toDrawing);
}

function yOf(value: number, scale: Scale): number {
  return TOP + placeOf(value, scale, HEIGHT);
}

function span(from: number, to: number, scale: Scale): { y: number; height: number } {
  const top = yOf(Math.max(from, to), scale);
  return { y: top, height: yOf(Math.min(from, to), scale) - top };
}
