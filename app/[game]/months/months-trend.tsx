import type { ReactElement } from 'react';
import { TrendChart } from '#app/_ui/charts/trend-chart.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { MonthRow } from './month-row.ts';

interface MonthsTrendProps {
  /** Oldest first. */
  rows: MonthRow[];
  /** Address of the list of months. */
  href: string;
  timeZone: string;
}

/** The months over time; until one was pulled, what to do. A month that does not tie breaks the series, as one never pulled does. */
export function MonthsTrend({ rows, href, timeZone }: MonthsTrendProps): ReactElement {
  const months = rows.map(({ month, snapshot, word }) => ({
    month,
    word,
    href: `${href}/${month}`,
    figures: snapshot === null || snapshot.status === 'inconsistent' ? null : snapshot.totals,
    isOpen: snapshot?.status === 'open',
  }));
  if (months.every(({ figures }) => figures === null)) {
    return (
      <Notice voice="note" title="No month is in the book yet">
        A month appears here once it was pulled: its figures, and the proof that they are complete.
      </Notice>
    );
  }
  return (
    <Card title="Attributed to recipients">
      <TrendChart months={months} timeZone={timeZone} />
    </Card>
  );
}
