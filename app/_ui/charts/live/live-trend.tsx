import type { ReactElement } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import styles from '../trend-chart.module.css';
import { drawingOf, heightOf, PLOT, scaleOf, type TrendMonth } from '../trend-month.ts';
import { ActiveBand } from './active-band.tsx';
import type { LiveChartProps } from './live-chart.tsx';
import { MonthDoors } from './month-doors.tsx';
import { MonthTip } from './month-tip.tsx';
import { drawGross, drawPoint, drawReversed, MonthName, NetSegments } from './trend-shapes.tsx';

/** The trend by Recharts: the same months on the same scale in the same places as the drawing it stands on. */
export function LiveTrend({
  months,
  label,
  width,
  height,
  startAt,
}: Omit<LiveChartProps, 'chart'> & { months: TrendMonth[] }): ReactElement {
  const scale = scaleOf(months);
  const points = months.map((month) => ({ ...month, ...(drawingOf(month) ?? { gross: null, reversed: null, net: null }) }));
  return (
    <ResponsiveContainer width="100%" height={height} initialDimension={{ width, height }}>
      <ComposedChart
        data={points}
        margin={{ top: PLOT.top, right: 0, bottom: 0, left: 0 }}
        stackOffset="sign"
        barCategoryGap="24%"
        aria-label={`${label}. Left and right arrow go from month to month, enter opens one.`}
      >
        <defs>
          <pattern id="still-open-live" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="6" className={styles.hatch} />
          </pattern>
        </defs>
        <ActiveBand months={months} />
        <CartesianGrid vertical={false} horizontalPoints={scale.ticks.map((tick) => heightOf(tick, scale))} stroke="var(--line)" />
        <ReferenceLine y={0} stroke="var(--line-strong)" zIndex={-50} />
        <XAxis
          dataKey="month"
          height={PLOT.foot}
          interval={0}
          axisLine={false}
          tickLine={false}
          tick={<MonthName months={months} scale={scale} />}
        />
        <YAxis hide width={0} domain={[scale.min, scale.max]} ticks={scale.ticks} allowDataOverflow />
        <Tooltip
          content={<MonthTip months={months} />}
          cursor={false}
          filterNull={false}
          isAnimationActive={false}
          {...(startAt >= 0 ? { defaultIndex: startAt } : {})}
        />
        <Bar dataKey="gross" stackId="month" shape={drawGross} activeBar={false} isAnimationActive={false} />
        <Bar dataKey="reversed" stackId="month" shape={drawReversed} activeBar={false} isAnimationActive={false} />
        <Line
          dataKey="net"
          shape={({ points = [] }) => <NetSegments points={points} months={months} />}
          dot={drawPoint}
          activeDot={false}
          isAnimationActive={false}
        />
        <MonthDoors months={months} />
      </ComposedChart>
    </ResponsiveContainer>
  );
}
