import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import type { Scale } from './chart-scale.ts';
import styles from './net-line.module.css';
import { drawingOf, heightOf, type TrendMonth } from './trend-month.ts';

/** The net from month to month; it breaks where a month has no figures and is dashed into a month still open. */
export function NetLine({ months, scale }: { months: TrendMonth[]; scale: Scale }): ReactElement {
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
