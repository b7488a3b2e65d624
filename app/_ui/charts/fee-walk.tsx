import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { Money } from '../figures/money.tsx';
import { chartScale, placeOf } from './chart-scale.ts';
import { type FeeFigures, type FeeStep, feeSteps, WALK_HEIGHT } from './fee-steps.ts';
import styles from './fee-walk.module.css';
import { Reach } from './live/reach.tsx';

/** Where the money of a window went, from what players were charged to what the partner keeps: bars, with every figure as text beneath. */
export function FeeWalk(figures: FeeFigures): ReactElement {
  const steps = feeSteps(figures);
  return (
    <div className={styles.walk}>
      <Reach chart={{ kind: 'walk', steps }} label="Where the money went, in USD; the figures stand beneath" height={WALK_HEIGHT}>
        <Bars steps={steps} />
      </Reach>
      <dl className={styles.list}>
        {steps.map(({ label, amount }) => (
          <div key={label} className={styles.step}>
            <dt className={styles.label}>{label}</dt>
            <dd className={styles.amount}>
              <Money amount={amount} size="fact" />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Bars({ steps }: { steps: FeeStep[] }): ReactElement {
  const scale = chartScale(steps.flatMap(({ from, to }) => [from, to]));
  return (
    <div className={styles.bars} style={{ height: WALK_HEIGHT }} aria-hidden="true">
      {steps.map(({ label, from, to, kind }) => {
        const top = placeOf(Math.max(from, to), scale, WALK_HEIGHT);
        const height = Math.max(from === to ? 1 : 2, placeOf(Math.min(from, to), scale, WALK_HEIGHT) - top);
        return (
          <div key={label} className={styles.column}>
            <span className={clsx(styles.bar, styles[kind])} style={{ top: Math.min(top, WALK_HEIGHT - height), height }} />
          </div>
        );
      })}
      <span className={styles.zero} style={{ top: placeOf(0, scale, WALK_HEIGHT) }} />
    </div>
  );
}
