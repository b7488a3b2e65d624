import type { ReactElement } from 'react';
import { TrendChart } from '#app/_ui/charts/trend-chart.tsx';
import { negateMoney } from '#lib/core/money.ts';

/** A month of the trend, its amounts in Invo’s names. */
export interface AttributedMonth {
  /** YYYY-MM. */
  month: string;
  href: string;
  /** null: not pulled or not reconciled; the series breaks here. */
  figures: { gross_attributed_usd: string; reversed_attributed_usd: string; net_attributed_usd: string } | null;
  isOpen: boolean;
  /** Its state. */
  word: string;
}

/** What is attributed by month: gross upwards, reversed downwards in the month of the refund, the net as a line. */
export function AttributionTrend({ months, timeZone }: { months: AttributedMonth[]; timeZone: string }): ReactElement {
  return (
    <TrendChart
      label="Attributed by month in USD; the table below has the same figures"
      names={{ up: 'Gross', down: 'Reversed', line: 'Net attributed' }}
      months={months.map(({ figures, ...month }) => ({
        ...month,
        amounts: figures && {
          up: figures.gross_attributed_usd,
          down: negateMoney(figures.reversed_attributed_usd),
          line: figures.net_attributed_usd,
        },
      }))}
      timeZone={timeZone}
    />
  );
}
