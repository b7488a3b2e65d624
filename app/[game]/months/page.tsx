import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { config, db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatCount, formatGrowth, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import { formatUsd, mostPlaces, negateMoney, signOfMoney } from '#lib/core/money.ts';
import { addMonths, type Month, monthOf, listMonths as monthsBetween, monthWindow, parseMonth } from '#lib/core/month.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';
import type { Drift } from '#lib/evidence/reads/drift.ts';
import { listMonths, type MonthRun } from '#lib/evidence/reads/months.ts';
import { findPullSchedule } from '#lib/evidence/reads/pull-schedule.ts';
import { parseRunProgress } from '#lib/payouts/rules/run-content.ts';
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { AttributionTrend } from '../_charts/attribution-trend.tsx';
import { DemoYearNotice } from '../_payouts/demo-year-notice.tsx';
import { PullAnother, PullButton } from '../_pulls/pull.tsx';
import { RepeatedNotice } from '../_rows/repeated-notice.tsx';
import { Coverage } from './_schedule/coverage.tsx';
import { StartHistory } from './_schedule/schedule-forms.tsx';
import { MONTH_STATE_TONES, type MonthRow, pullActionOf, reshapeMonths, settled } from './load-month.ts';
import styles from './months.module.css';

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
      <DemoYearNotice
        runs={rows.flatMap(({ month, run }) => (run === null ? [] : [{ month, progress: parseRunProgress(run.state) }]))}
        timeZone={game.timeZone}
      />
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

/** Months one page shows. */
const MONTHS_SHOWN = 24;

/**
 * The months of one page, oldest first, ending with `until` or the current month: back to the first ever pulled, at least six, at most 24. `repeated`:
 * reversals that a later month reports again; `earlier`: the first month before those shown that may be stored, null when all are shown.
 */
async function loadMonths(game: Game, until: Month | null) {
  const current = monthOf(now(), game.timeZone);
  const last = until !== null && until < current ? until : current;
  const schedule = await findPullSchedule(db(), game.gameId);
  const start = schedule.firstStart;
  const first = [...(start === null ? [] : [monthOf(start, game.timeZone)]), schedule.firstMonth ?? current].toSorted()[0] ?? current;
  const oldestShown = addMonths(last, 1 - MONTHS_SHOWN);
  const begin = first < oldestShown ? oldestShown : ([first, addMonths(last, -5)].toSorted()[0] ?? last);
  const months = monthsBetween(begin, last);
  const windows = months.map((month) => monthWindow(month, game.timeZone));
  const { windows: facts, repeated } = await listMonths(db(), game, windows);
  const rows = reshapeMonths(months, facts, settled());
  return { rows, repeated, schedule, current, earlier: first < begin ? addMonths(begin, -1) : null };
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

interface MonthsTableProps {
  /** In the order shown. */
  rows: MonthRow[];
  game: Pick<Game, 'slug' | 'timeZone'>;
  mayPull: boolean;
}

/** The months of a game: the same figures as the chart, with the state of each and the action it allows. */
function MonthsTable({ rows, game, mayPull }: MonthsTableProps): ReactElement {
  const hrefOf = (row: MonthRow): string => `/${game.slug}/months/${row.month}`;
  const placesOf = (name: MoneyTotal): number => mostPlaces(rows.flatMap(({ snapshot }) => snapshot?.totals[name] ?? []));
  const money = (label: string, name: MoneyTotal, change = (amount: string): string => amount): SimpleColumn<MonthRow> => ({
    label,
    isFigure: true,
    isWideOnly: true,
    cell: ({ snapshot }) => snapshot && <Money amount={change(snapshot.totals[name])} places={placesOf(name)} />,
  });
  const columns: SimpleColumn<MonthRow>[] = [
    { label: 'Month', cell: (row) => <MonthName row={row} href={hrefOf(row)} /> },
    { label: 'State', cell: (row) => <State row={row} href={hrefOf(row)} />, isWideOnly: true },
    money('Partner revenue', 'partner_revenue_usd'),
    money('Gross', 'gross_attributed_usd'),
    money('Reversed', 'reversed_attributed_usd', negateMoney),
    { label: 'Net attributed', isFigure: true, cell: (row) => <Net row={row} places={placesOf('net_attributed_usd')} /> },
    { label: 'Change', isFigure: true, isWideOnly: true, cell: growthOf },
    {
      label: 'Recipients',
      isFigure: true,
      isWideOnly: true,
      cell: ({ snapshot }) => snapshot && formatCount(snapshot.totals.recipient_count),
    },
    { label: 'Open items', isFigure: true, isWideOnly: true, cell: (row) => <OpenItems row={row} href={hrefOf(row)} /> },
    {
      label: 'Run',
      isWideOnly: true,
      cell: ({ run }) =>
        run && (
          <Link className={styles.run} href={`/${game.slug}/payouts/${run.runNo}`}>
            {formatRun(run)}
          </Link>
        ),
    },
  ];
  if (mayPull) {
    columns.push({
      label: 'Action',
      isScreenOnly: true,
      isWideOnly: true,
      cell: (row) => {
        const action = pullActionOf(row);
        if (action === null) return null;
        return (
          <PullButton
            game={game.slug}
            month={row.month}
            kind="quiet"
            label={action.label === 'Re-check now' ? 'Re-check' : action.label}
            isFresh={action.isFresh}
            name={`${action.label}: ${formatMonth(row.month)}`}
          />
        );
      },
    });
  }
  return <SimpleTable label="Months" columns={columns} rows={rows} keyOf={({ month }) => month} />;
}

type MoneyTotal = 'partner_revenue_usd' | 'gross_attributed_usd' | 'reversed_attributed_usd' | 'net_attributed_usd';

function MonthName({ row, href }: { row: MonthRow; href: string }): ReactElement {
  return (
    <>
      <Link href={href}>{formatMonth(row.month)}</Link>
      {row.snapshot?.status === 'open' && <span className={styles.note}>to {formatUtc(row.snapshot.coveredUntil)}</span>}
      <NarrowNote>
        <State row={row} href={href} /> {row.run && formatRun(row.run)}
      </NarrowNote>
    </>
  );
}

function State({ row, href }: { row: MonthRow; href: string }): ReactElement {
  const { drift } = row;
  return (
    <span className={styles.state}>
      <Status tone={MONTH_STATE_TONES[row.state]} word={row.label} />
      {drift !== null && (
        <Link href={`${href}/reconciliation#drift`}>
          <Flag tone="wait" word={formatDriftBadge(drift)} />
        </Link>
      )}
    </span>
  );
}

/** `Approved · $1,374.27`: the state of a month's run and what it pays. */
function formatRun({ state, payable_usd }: MonthRun): string {
  return `${RUN_STATE_TEXT[parseRunProgress(state)]} · ${formatUsd(payable_usd)}`;
}

/** `Changed +$12.00`: what the net of a month changed by after it was complete. */
function formatDriftBadge({ net_change_usd: change }: Drift): string {
  if (signOfMoney(change) === 0) return 'Changed, same net';
  return `Changed ${signOfMoney(change) > 0 ? '+' : ''}${formatUsd(change)}`;
}

function Net({ row, places }: { row: MonthRow; places: number }): ReactElement {
  if (row.snapshot === null) return <span className={styles.none}>{row.state === 'not_pulled' ? 'not pulled' : ''}</span>;
  return (
    <>
      <Money amount={row.snapshot.totals.net_attributed_usd} isStrong places={places} />
      <NarrowNote>{growthOf(row)}</NarrowNote>
    </>
  );
}

function growthOf({ snapshot, netBefore }: MonthRow): string | null {
  return snapshot === null || netBefore === null ? null : formatGrowth(snapshot.totals.net_attributed_usd, netBefore);
}

function OpenItems({ row: { snapshot }, href }: { row: MonthRow; href: string }): ReactElement | null {
  if (snapshot === null) return null;
  if (snapshot.openItemCount === 0) return <span className={styles.none}>0</span>;
  return (
    <Link href={`${href}/open-items`} aria-label={`${formatCount(snapshot.openItemCount)} open items`}>
      <Flag tone="wait" word={formatCount(snapshot.openItemCount)} />
    </Link>
  );
}
