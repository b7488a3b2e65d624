import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '../figures/money.tsx';
import { chartScale, FLOW_HEIGHT, type FlowFigures, type FlowStep, flowSteps, placeOf } from './chart-series.ts';
import styles from './charts.module.css';
import { HydrateOnInteraction } from './hydrate-on-interaction.tsx';

const BAR: Record<FlowStep['kind'], string | undefined> = { whole: styles.wholeBar, taken: styles.takenBar, kept: styles.keptBar };

/** The money flow of a window, from what players paid to what the partner keeps: bars with every figure as text below. */
export function MoneyFlow(figures: FlowFigures): ReactElement {
  const steps = flowSteps(figures);
  return (
    <div className={styles.flow}>
      <HydrateOnInteraction chart={{ kind: 'flow', steps }} label="Money flow in USD; the figures are below" height={FLOW_HEIGHT}>
        <Bars steps={steps} />
      </HydrateOnInteraction>
      <dl className={styles.list}>
        {steps.map(({ label, amount }) => (
          <div key={label} className={styles.step}>
            <dt className={styles.stepLabel}>{label}</dt>
            <dd className={styles.amount}>
              <Money amount={amount} size="fact" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Bars({ steps }: { steps: FlowStep[] }): ReactElement {
  const scale = chartScale(steps.flatMap(({ from, to }) => [from, to]));
  return (
    <div className={styles.bars} style={{ height: FLOW_HEIGHT }} aria-hidden="true">
      {steps.map(({ label, from, to, kind }) => {
        const top = placeOf(Math.max(from, to), scale, FLOW_HEIGHT);
        const height = Math.max(from === to ? 1 : 2, placeOf(Math.min(from, to), scale, FLOW_HEIGHT) - top);
        return (
          <div key={label} className={styles.column}>
            <span className={clsx(styles.bar, BAR[kind])} style={{ top: Math.min(top, FLOW_HEIGHT - height), height }} />
          </div>
        );
      })}
      <span className={styles.zeroLine} style={{ top: placeOf(0, scale, FLOW_HEIGHT) }} />
    </div>
  );
}
