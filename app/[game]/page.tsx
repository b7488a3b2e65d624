import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { findTasks } from '#app/_shell/badge-count.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { datePartsOf } from '#lib/core/instant.ts';
import { addMonths, lastDayOf, monthOf, listMonths as monthsBetween, monthWindow } from '#lib/core/month.ts';
import { listMonths } from '#lib/evidence/reads/months.ts';
import { findOverview } from '#lib/tasks/reads.ts';
import { canDo, firstPathOf } from '#lib/tasks/rules/task.ts';
import { formatTaskSummary } from '#lib/tasks/text.ts';
import { TaskTable } from './_tasks/task-table.tsx';
import { reshapeMonths, settled } from './months/load-month.ts';
import styles from './overview.module.css';
import { CoverageCells, LastMonth, PaceCard } from './overview-cards.tsx';

export const metadata: Metadata = { title: 'Overview' };

/** Months that the coverage shows: the open one, the last one, and the year before that. */
const MONTHS_SHOWN = 14;

/** The first page of a game: Overview for finance and admins, for others the page that their role begins with. */
export default async function OverviewPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const first = firstPathOf(game.slug, person.roles);
  if (first !== `/${game.slug}`) redirect(first);
  const month = monthOf(now(), game.timeZone);
  const months = monthsBetween(addMonths(month, 1 - MONTHS_SHOWN), month);
  const windows = months.map((each) => monthWindow(each, game.timeZone));
  const [current, before] = [monthWindow(month, game.timeZone), monthWindow(addMonths(month, -1), game.timeZone)];
  const [{ tasks, readAt }, { windows: facts }, { pace, run, verification }] = await Promise.all([
    findTasks(game, person),
    listMonths(db(), game, windows),
    findOverview(db(), game, { current, before }),
  ]);
  const rows = reshapeMonths(months, facts, settled());
  const [last, open] = [rows.at(-2), rows.at(-1)];
  const own = tasks.filter(({ kind }) => canDo(kind, person.roles));
  const others = tasks.filter((task) => !own.includes(task));
  const ready = own.find(({ kind, count }) => kind === 'start_run' && count === 1)?.windowStart ?? null;
  const summary = {
    count: own.reduce((sum, { count }) => sum + count, 0),
    readyMonth: ready === null ? null : monthOf(ready, game.timeZone),
    month,
    daysLeft: daysLeftIn(current, game),
  };
  return (
    <>
      <PageHead title="Overview">{formatTaskSummary(summary)}</PageHead>
      {tasks.length === 0 ? (
        <EmptyState
          title="Nothing needs you"
          action={
            <LinkButton kind="main" href={`/${game.slug}/months`}>
              View months
            </LinkButton>
          }
        >
          Runs to approve, payments that came back, refunds and webhooks that need a person appear here.
        </EmptyState>
      ) : (
        <TaskTable label="Tasks" game={game} person={person} tasks={[...own, ...others]} readAt={readAt} />
      )}
      <div className={styles.pair}>
        {open && last && <PaceCard game={game} open={open} before={last} pace={pace} />}
        {last && <LastMonth game={game} row={last} run={run} />}
      </div>
      <CoverageCells game={game} rows={rows} verification={verification} readAt={readAt} />
    </>
  );
}

/** Whole days from today until the last day of a month; 0: today is the last. */
function daysLeftIn(window: { start: string; end: string }, { timeZone }: Pick<Game, 'timeZone'>): number {
  const lastDay = Number(lastDayOf(window, timeZone).slice(8));
  return Math.max(0, lastDay - datePartsOf(now(), timeZone).day);
}
