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
import { chartScale, type FlowStep } from './chart-series.ts';
import { ChartTip, type LiveChartProps } from './chart-tip.tsx';
import styles from './charts.module.css';

/** Between two bars, in pixels, as in the placeholder. */
const GAP = 8;

/** The money flow by Recharts: the same bars as its placeholder, each with its exact figure. */
export function LiveFlow({ steps, label, width, height, startAt }: LiveChartProps & { steps: FlowStep[] }): ReactElement {
  const { min, max } = chartScale(steps.flatMap(({ from, to }) => [from, to]));
  const bars = steps.map((step) => ({ ...step, span: [Math.min(step.from, step.to), Math.max(step.from, step.to)] }));
  return (
    // Recharts leaves half a gap on both sides of every bar; the placeholder has none at its two ends.
    <div style={{ marginInline: -GAP / 2 }}>
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: width + GAP, height }}>
        <ComposedChart
          data={bars}
          margin={{ top: 0, right: 0, bottom: 0, left: 0 }}
          barCategoryGap={GAP}
          aria-label={`${label}. Press the left and right arrow keys to move between steps.`}
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

function StepTip({ steps, active, label }: Partial<TooltipContentProps> & { steps: FlowStep[] }): ReactElement | null {
  const step = steps.find((each) => each.label === label);
  return active && step ? <ChartTip title={step.label} figures={[{ label: 'USD', amount: step.amount }]} /> : null;
}

function drawStep({ x, y, width, height, payload, isActive }: BarShapeProps): ReactElement {
  const { kind, from, to } = payload as FlowStep;
  const tall = Math.max(from === to ? 1 : 2, Math.abs(height));
  return (
    <rect x={x} y={Math.min(y, y + height)} width={width} height={tall} rx="3" className={clsx(styles[kind], isActive && styles.active)} />
  );
}
