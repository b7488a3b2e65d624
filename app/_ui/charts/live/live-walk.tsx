import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import {
  Bar,
  type BarShapeProps,
  ComposedChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts';
import { chartScale } from '../chart-scale.ts';
import type { FeeStep } from '../fee-steps.ts';
import { ChartTip } from './chart-tip.tsx';
import type { LiveChartProps } from './live-chart.tsx';
import styles from './live-walk.module.css';

/** Between two bars, in pixels, as in the drawing. */
const GAP = 8;

/** The fee walk by Recharts: the same bars in the same places, each telling its exact figure. */
export function LiveWalk({ steps, label, width, height, startAt }: Omit<LiveChartProps, 'chart'> & { steps: FeeStep[] }): ReactElement {
  const { min, max } = chartScale(steps.flatMap(({ from, to }) => [from, to]));
  const bars = steps.map((step) => ({ ...step, span: [Math.min(step.from, step.to), Math.max(step.from, step.to)] }));
  return (
    // Half a gap stands free on both sides of every bar, which the drawing does not have at its two ends.
    <div style={{ marginInline: -GAP / 2 }}>
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: width + GAP, height }}>
        <ComposedChart
          data={bars}
          margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
          barCategoryGap={GAP}
          aria-label={`${label}. Left and right arrow go from step to step.`}
        >
          <XAxis dataKey="label" hide height={0} interval={0} />
          <YAxis hide width={0} domain={[min, max]} allowDataOverflow />
          <ReferenceLine y={0} stroke="var(--line-strong)" zIndex={350} />
          <Tooltip
            content={<StepTip steps={steps} />}
            cursor={false}
            isAnimationActive={false}
            {...(startAt >= 0 ? { defaultIndex: startAt } : {})}
          />
          <Bar dataKey="span" shape={drawStep} isAnimationActive={false} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

function StepTip({ steps, active, label }: Partial<TooltipContentProps> & { steps: FeeStep[] }): ReactElement | null {
  const step = steps.find((each) => each.label === label);
  return active && step ? <ChartTip title={step.label} figures={[{ label: 'USD', amount: step.amount }]} /> : null;
}

function drawStep({ x, y, width, height, payload, isActive }: BarShapeProps): ReactElement {
  const { kind, from, to } = payload as FeeStep;
  const tall = Math.max(from === to ? 1 : 2, Math.abs(height));
  return (
    <rect x={x} y={Math.min(y, y + height)} width={width} height={tall} rx="3" className={clsx(styles[kind], isActive && styles.active)} />
  );
}
