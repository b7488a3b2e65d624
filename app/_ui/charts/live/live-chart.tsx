import type { ReactElement } from 'react';
import type { FeeStep } from '../fee-steps.ts';
import type { TrendMonth } from '../trend-month.ts';
import { LiveTrend } from './live-trend.tsx';
import { LiveWalk } from './live-walk.tsx';

export interface LiveChartProps {
  chart: { kind: 'trend'; months: TrendMonth[] } | { kind: 'walk'; steps: FeeStep[] };
  label: string;
  /** Of the box it fills, in pixels. */
  width: number;
  height: number;
  /** Which month or step says its figures at once; -1: none. */
  startAt: number;
}

/** A chart by Recharts; this module and what it imports is loaded only once somebody reaches for one. */
export function LiveChart({ chart, ...rest }: LiveChartProps): ReactElement {
  return chart.kind === 'trend' ? <LiveTrend months={chart.months} {...rest} /> : <LiveWalk steps={chart.steps} {...rest} />;
}
