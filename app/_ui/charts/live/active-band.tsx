import type { ReactElement } from 'react';
import { useActiveTooltipLabel, ZIndexLayer } from 'recharts';
import { PLOT, TREND_HEIGHT, type TrendMonth } from '../trend-month.ts';

const BENEATH_ALL = -200;

/** The ground behind the month whose figures are shown. */
export function ActiveBand({ months }: { months: TrendMonth[] }): ReactElement | null {
  const shown = useActiveTooltipLabel();
  const place = months.findIndex(({ month }) => month === shown);
  if (place < 0) return null;
  return (
    <ZIndexLayer zIndex={BENEATH_ALL}>
      <rect
        x={`${(place * 100) / months.length}%`}
        y={PLOT.top - 6}
        width={`${100 / months.length}%`}
        height={TREND_HEIGHT - PLOT.top + 6}
        rx="6"
        fill="var(--accent-soft)"
      />
    </ZIndexLayer>
  );
}
