import { clsx } from 'clsx';
import { Fragment, type ReactElement } from 'react';
import { levelsOf, type RollForwardStep, rollForwardPoint, scaleOfLevels } from './chart-series.ts';
import styles from './charts.module.css';
import { InteractiveChart } from './interactive-chart.tsx';
import { Grid, HEIGHT, Key, offset, PLOT, span } from './trend-chart.tsx';

/** Beyond this a step's bars look like areas, in pixels; and the room for the labels of amounts. */
const STEP_WIDTH_MAX = 150;
const MARGIN = 150;

interface WaterfallChartProps {
  label: string;
  /** What the two bars of a step are called: up or down to what is due, and down to what is carried forward. */
  names: { rise: string; fall: string; out: string };
  /** Oldest first. */
  steps: RollForwardStep[];
}

/**
 * A balance rolled forward step by step: from what was carried forward to what is due, from there down by what is payable, and on at that level into the
 * next step. Positions across are in per cent, so that one drawing fits every width.
 */
export function WaterfallChart({ label, names, steps }: WaterfallChartProps): ReactElement {
  const levels = steps.map(levelsOf);
  const scale = scaleOfLevels(levels);
  const points = steps.map(rollForwardPoint);
  const width = 100 / steps.length;
  const every = Math.ceil(steps.length / 4);
  return (
    <figure style={{ maxWidth: MARGIN + steps.length * STEP_WIDTH_MAX }}>
      <figcaption className={styles.legend}>
        <Key mark={styles.upKey} word={names.rise} />
        <Key mark={styles.downKey} word={names.fall} />
        <Key mark={styles.outKey} word={names.out} />
        <span className={styles.unit}>USD; dashed: not approved</span>
      </figcaption>
      <div className={styles.plot}>
        <InteractiveChart
          label={label}
          keys="Press the left and right arrow keys to move between runs, Enter to open one."
          points={points}
          height={HEIGHT}
        >
          <svg className={styles.svg} width="100%" height={HEIGHT}>
            <Grid scale={scale} />
            {levels.map(({ opening, due, closing }, index) => {
              const [point, step] = [points[index], steps[index]];
              const across = (share: number): string => `${(index + share) * width}%`;
              const bar = { width: `${0.3 * width}%`, rx: 2 };
              const next = levels[index + 1];
              return (
                <Fragment key={point?.key}>
                  <a href={point?.link?.href} className={styles.month} aria-label={point?.link?.label}>
                    <rect x={across(0)} width={`${width}%`} height={HEIGHT} rx="6" className={styles.hit} />
                    <rect
                      {...bar}
                      x={across(0.16)}
                      {...thick(span(opening, due, scale))}
                      className={clsx(due < opening ? styles.down : styles.up, step?.isOpen && styles.unsettled)}
                    />
                    {due !== closing && (
                      <rect
                        {...bar}
                        x={across(0.54)}
                        {...thick(span(closing, due, scale))}
                        className={clsx(styles.out, step?.isOpen && styles.unsettled)}
                      />
                    )}
                  </a>
                  {/* Beside the link, whose name has the month in full. */}
                  <text
                    x={across(0.5)}
                    y={PLOT.top + PLOT.height + 17}
                    textAnchor="middle"
                    className={clsx(styles.label, (steps.length - 1 - index) % every !== 0 && styles.wide)}
                  >
                    {step?.label}
                  </text>
                  <line x1={across(0.16)} x2={across(0.84)} y1={offset(due, scale)} y2={offset(due, scale)} className={styles.level} />
                  {next !== undefined && (
                    <line
                      x1={across(0.54)}
                      x2={across(1.46)}
                      y1={offset(closing, scale)}
                      y2={offset(closing, scale)}
                      className={styles.level}
                    />
                  )}
                </Fragment>
              );
            })}
          </svg>
        </InteractiveChart>
      </div>
    </figure>
  );
}

/** A bar that can be seen, however small its amount. */
function thick({ y, height }: { y: number; height: number }): { y: number; height: number } {
  return height >= 2 ? { y, height } : { y: y - 1, height: 2 };
}
