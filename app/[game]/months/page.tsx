import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { config } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { addMonths, parseMonth } from '#lib/core/month.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';
import { AttributionTrend } from '../_charts/attribution-trend.tsx';
import { PullAnother } from '../_pulls/pull.tsx';
import { RepeatedNotice } from '../_rows/repeated-notice.tsx';
import { Coverage } from './_schedule/coverage.tsx';
import { StartHistory } from './_schedule/schedule-forms.tsx';
import { loadMonths, type MonthRow } from './load-month.ts';
import { MonthsTable } from './months-table.tsx';

export const metadata: Metadata = { title: 'Months' };

interface MonthsPageProps {
  params: Promise<{ game: string }>;
  searchParams: Promise<{ until?: string | string[] }>;
}

export default async function MonthsPage({ params, searchParams }: MonthsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const { until } = await searchParams;
  const { rows, repeated, schedule, current, earlier } = await loadMonths(game, typeof until === 'string' ? parseMonth(until) : null);
  const href = `/${game.slug}/months`;
  const isNewest = rows.at(-1)?.month === current;
  const mayPull = person.may('pulls.start');
  const covered = rows.filter(({ snapshot }) => snapshot !== null).length;
  return (
    <>
      <PageHead
        title="Months"
        actions={mayPull && <PullAnother game={game.slug} earliest={addMonths(current, -12 * YEARS_BACK_MAX)} latest={current} />}
      >
        {covered} of {countNoun(rows.length, 'month')} pulled. A refund counts in the month it was made. Amounts in USD, months in{' '}
        {game.timeZone}.
      </PageHead>
      <RefreshWhile isBusy={rows.some(({ state }) => state === 'pulling')} />
      {schedule.firstStart === null && schedule.firstMonth === null && !config().isSimulated && mayPull && (
        <StartHistory game={game.slug} />
      )}
      {schedule.firstStart !== null && <Coverage rows={rows} schedule={schedule} game={game} mayPull={mayPull} />}
      <RepeatedNotice repeated={repeated} game={game} />
      <MonthsTrend rows={rows} href={href} timeZone={game.timeZone} />
      <MonthsTable rows={rows.toReversed()} game={game} mayPull={mayPull} />
      {(earlier !== null || !isNewest) && (
        <p>
          {!isNewest && (
            <LinkButton kind="quiet" href={href}>
              Newest months
            </LinkButton>
          )}
          {earlier !== null && (
            <LinkButton kind="quiet" href={`${href}?until=${earlier}`}>
              Earlier months
            </LinkButton>
          )}
        </p>
      )}
    </>
  );
}

/** The months over time; before the first pull, what to do. A month that isn’t pulled or doesn’t reconcile breaks the series. */
function MonthsTrend({ rows, href, timeZone }: { rows: MonthRow[]; href: string; timeZone: string }): ReactElement {
  const months = rows.map(({ month, snapshot, label }) => ({
    month,
    word: label,
    href: `${href}/${month}`,
    figures: snapshot === null || snapshot.status === 'inconsistent' ? null : snapshot.totals,
    isOpen: snapshot?.status === 'open',
  }));
  if (months.every(({ figures }) => figures === null))
    return <EmptyState title="No months yet">Pull a month to see its figures and its reconciliation.</EmptyState>;
  return (
    <Card title="Attributed to recipients">
      <AttributionTrend months={months} timeZone={timeZone} />
    </Card>
  );
}
