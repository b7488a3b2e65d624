import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { negateMoney, subtractMoney } from '../../../lib/domain/money.ts';
import { Money } from '../figures/money.tsx';
import { chartScale, placeOf, toDrawing } from './chart-scale.ts';
import styles from './fee-walk.module.css';

export interface FeeWalkProps {
  settled_gross_usd: string;
  invo_fee_usd: string;
  partner_revenue_settled_usd: string;
  partner_revenue_reversed_usd: string;
  partner_revenue_usd: string;
  net_attributed_usd: string;
}

interface Step {
  label: string;
  amount: string;
  /** Between which two amounts its bar stands. */
  from: number;
  to: number;
  kind: 'whole' | 'taken' | 'kept';
}

const HEIGHT = 128;

/** Where the money of a window went, from what players were charged to what the partner keeps: bars, with every figure as text beneath. */
export function FeeWalk(figures: FeeWalkProps): ReactElement {
  const steps = stepsOf(figures);
  const scale = chartScale(steps.flatMap(({ from, to }) => [from, to]));
  return (
    <div className={styles.walk}>
      <div className={styles.bars} style={{ height: HEIGHT }} aria-hidden="true">
        {steps.map(({ label, from, to, kind }) => {
          const top = placeOf(Math.max(from, to), scale, HEIGHT);
          const height = Math.max(from === to ? 1 : 2, placeOf(Math.min(from, to), scale, HEIGHT) - top);
          return (
            <div key={label} className={styles.column}>
              <span className={clsx(styles.bar, styles[kind])} style={{ top: Math.min(top, HEIGHT - height), height }} />
            </div>
          );
        })}
        <span className={styles.zero} style={{ top: placeOf(0, scale, HEIGHT) }} />
      </div>
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

function stepsOf(figures: FeeWalkProps): Step[] {
  const kept = subtractMoney(figures.partner_revenue_usd, figures.net_attributed_usd);
  const [gross, settled, revenue] = [figures.settled_gross_usd, figures.partner_revenue_settled_usd, figures.partner_revenue_usd].map(
    toDrawing,
  ) as [number, number, number];
  return [
    { label: 'settled', amount: figures.settled_gross_usd, from: 0, to: gross, kind: 'whole' },
    { label: 'Invo fee, never returned', amount: negateMoney(figures.invo_fee_usd), from: gross, to: settled, kind: 'taken' },
    { label: 'partner revenue settled', amount: figures.partner_revenue_settled_usd, from: 0, to: settled, kind: 'whole' },
    {
      label: 'partner revenue reversed',
      amount: negateMoney(figures.partner_revenue_reversed_usd),
      from: settled,
      to: revenue,
      kind: 'taken',
    },
    { label: 'recipients, net', amount: figures.net_attributed_usd, from: revenue, to: toDrawing(kept), kind: 'whole' },
    { label: 'you keep, before fees on refunds', amount: kept, from: 0, to: toDrawing(kept), kind: 'kept' },
  ];
}
