import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { now } from '#app/_server/clock.ts';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { config, db } from '#app/_server/wiring.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { listMonths } from '#db/evidence/reads/months.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { settledUntil } from '#lib/core/window.ts';
import { PullAnother } from './_asking/pull-another.tsx';
import { findMonthRange } from './month-range.ts';
import { reshapeMonths } from './month-row.ts';
import { MonthsTable } from './months-table.tsx';
import { MonthsTrend } from './months-trend.tsx';

export const metadata: Metadata = { title: 'Months' };

interface MonthsPageProps {
  params: Promise<{ game: string }>;
  searchParams: Promise<{ until?: string | string[] }>;
}

export default async function MonthsPage({ params, searchParams }: MonthsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const { until } = await searchParams;
  const range = await findMonthRange(db(), game.gameId, game.timeZone, now(), typeof until === 'string' ? parseMonth(until) : null);
  const facts = await listMonths(
    db(),
    game.gameId,
    range.months.map((month) => monthWindow(month, game.timeZone)),
  );
  const rows = reshapeMonths(range.months, facts, settledUntil(now(), config().settleLag_minutes));
  const href = `/${game.slug}/months`;
  return (
    <>
      <PageHead title="Months" actions={person.may('pulls.start') && <PullAnother game={game.slug} latest={range.current} />}>
        Each month holds what settled in it, cut in {game.timeZone}. A refund counts in the month in which it was made.
      </PageHead>
      <RefreshWhile isBusy={rows.some(({ state }) => state === 'pulling')} />
      <MonthsTrend rows={rows} href={href} timeZone={game.timeZone} />
      <MonthsTable rows={rows.toReversed()} game={game} mayPull={person.may('pulls.start')} />
      {(range.earlier !== null || range.months.at(-1) !== range.current) && (
        <p>
          {range.months.at(-1) !== range.current && (
            <LinkButton kind="quiet" href={href}>
              Newest months
            </LinkButton>
          )}
          {range.earlier !== null && (
            <LinkButton kind="quiet" href={`${href}?until=${range.earlier}`}>
              Earlier months
            </LinkButton>
          )}
        </p>
      )}
    </>
  );
}
