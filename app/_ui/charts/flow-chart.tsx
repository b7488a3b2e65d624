import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '../figures/money.tsx';
import { chartScale, type FlowStep, flowSpans, offsetOf } from './chart-series.ts';
import styles from './charts.module.css';
import { InteractiveChart } from './interactive-chart.tsx';

/** Height of the bars, in pixels. */
const HEIGHT = 72;

const BAR: Record<FlowStep['kind'], string | undefined> = { whole: styles.wholeBar, taken: styles.takenBar, kept: styles.keptBar };

/** What becomes of an amount step by step: bars with every figure as text below. */
export function FlowChart({ label, steps }: { label: string; steps: FlowStep[] }): ReactElement {
  const points = steps.map(({ label: title, amount }) => ({ key: title, title, figures: [{ label: 'USD', amount }] }));
  return (
    <div className={styles.flow}>
      <InteractiveChart label={label} keys="Press the left and right arrow keys to move between steps." points={points} height={HEIGHT}>
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
    <div className={styles.bars} style={{ height: HEIGHT }} aria-hidden="true">
      {spans.map(({ label, kind, from, to }) => {
        const top = offsetOf(Math.max(from, to), scale, HEIGHT);
        const height = Math.max(from === to ? 1 : 2, offsetOf(Math.min(from, to), scale, HEIGHT) - top);
        return (
          <div key={label} className={styles.column}>
            <span className={clsx(styles.bar, BAR[kind])} style={{ top: Math.min(top, HEIGHT - height), height }} />
          </div>
        );
      })}
      <span className={styles.zeroLine} style={{ top: offsetOf(0, scale, HEIGHT) }} />
    </div>
  );
}
