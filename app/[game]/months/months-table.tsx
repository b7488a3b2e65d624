import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { formatCount, formatGrowth, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import { formatUsd, mostPlaces, negateMoney, signOfMoney } from '#lib/core/money.ts';
import type { Drift } from '#lib/evidence/reads/drift.ts';
import type { MonthRun } from '#lib/evidence/reads/months.ts';
import { parseRunState } from '#lib/payouts/rules/run-content.ts';
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { PullButton } from '../_pulls/pull.tsx';
import { MONTH_STATE_TONES, type MonthRow, pullActionOf } from './load-month.ts';
import styles from './months.module.css';

interface MonthsTableProps {
  /** In the order shown. */
  rows: MonthRow[];
  game: Pick<Game, 'slug' | 'timeZone'>;
  mayPull: boolean;
}

/** The months of a game: the same figures as the chart, with the state of each and the action it allows. */
export function MonthsTable({ rows, game, mayPull }: MonthsTableProps): ReactElement {
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
  return `${RUN_STATE_TEXT[parseRunState(state)]} · ${formatUsd(payable_usd)}`;
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
