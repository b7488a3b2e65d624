import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import type { BarShapeProps, DotItemDotProps, XAxisTickContentProps } from 'recharts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import type { Scale } from '../chart-scale.ts';
import netStyles from '../net-line.module.css';
import barStyles from '../trend-bars.module.css';
import { heightOf, labelOf, type TrendMonth } from '../trend-month.ts';

/** The bar of what a month earned; hatched while it is open. */
export function drawGross({ x, width, payload, ...span }: BarShapeProps): ReactElement {
  const { isOpen } = payload as TrendMonth;
  return (
    <rect
      x={x}
      width={width}
      {...upright(span)}
      rx="2"
      {...(isOpen ? { fill: 'url(#still-open-live)', className: barStyles.open } : { className: barStyles.gross })}
    />
  );
}

/** The bar of what was reversed in a month, below zero. */
export function drawReversed({ x, width, payload, ...span }: BarShapeProps): ReactElement {
  const { isOpen } = payload as TrendMonth;
  return <rect x={x} width={width} {...upright(span)} rx="2" className={clsx(barStyles.reversed, isOpen && barStyles.faint)} />;
}

/** The net from month to month; it breaks where a month has no figures and is dashed into a month still open. */
export function NetSegments({ points, months }: { points: readonly Point[]; months: TrendMonth[] }): ReactElement {
  return (
    <g className={netStyles.net}>
      {points.map((point, place) => {
        const before = points[place - 1];
        const month = months[place];
        if (!month || !before || before.y === null || point.y === null) return null;
        return (
          <line
            key={month.month}
            x1={before.x ?? 0}
            y1={before.y}
            x2={point.x ?? 0}
            y2={point.y}
            className={clsx(netStyles.line, month.isOpen && netStyles.dashed)}
          />
        );
      })}
    </g>
  );
}

interface Point {
  x: number | null;
  y: number | null;
}

/** The net of one month; nothing where the series breaks. */
export function drawPoint({ key, cx, cy, value }: DotItemDotProps): ReactElement {
  return value === null || cx === undefined || cy === undefined ? (
    <g key={key} />
  ) : (
    <circle key={key} cx={cx} cy={cy} r="3" className={netStyles.point} />
  );
}

/** The name of a month beneath it, and the dash of one without figures. */
export function MonthName({
  x = 0,
  index = 0,
  months,
  scale,
}: Partial<XAxisTickContentProps> & { months: TrendMonth[]; scale: Scale }): ReactElement | null {
  const month = months[index];
  if (!month) return null;
  const label = labelOf(index, months.length);
  return (
    <g>
      {label !== 'none' && (
        <text
          x={x}
          y={heightOf(scale.min, scale) + 17}
          textAnchor="middle"
          className={clsx(barStyles.label, label === 'wide' && barStyles.wide)}
        >
          {formatMonth(month.month, 'short')}
        </text>
      )}
      {month.figures === null && (
        <text x={x} y={heightOf(0, scale) - 6} textAnchor="middle" className={barStyles.missing}>
          –
        </text>
      )}
    </g>
  );
}

function upright({ y, height }: { y: number; height: number }): { y: number; height: number } {
  return { y: Math.min(y, y + height), height: Math.abs(height) };
}
