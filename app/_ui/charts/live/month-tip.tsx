import type { ReactElement } from 'react';
import type { TooltipContentProps } from 'recharts';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { negateMoney } from '#lib/core/money.ts';
import type { TrendMonth } from '../trend-month.ts';
import { ChartTip } from './chart-tip.tsx';

/** The figures of one month of the trend. */
export function MonthTip({ months, active, label }: Partial<TooltipContentProps> & { months: TrendMonth[] }): ReactElement | null {
  const month = months.find((each) => each.month === label);
  if (!active || !month) return null;
  const { figures } = month;
  return (
    <ChartTip
      title={formatMonth(month.month)}
      note={month.word}
      figures={
        figures === null
          ? []
          : [
              { label: 'Earned', amount: figures.gross_attributed_usd },
              { label: 'Reversed', amount: negateMoney(figures.reversed_attributed_usd) },
              { label: 'Net, USD', amount: figures.net_attributed_usd },
            ]
      }
    />
  );
}
