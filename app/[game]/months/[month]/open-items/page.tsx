import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { countNoun, formatCount, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { type SimpleColumn, SimpleTable, type SimpleTableProps } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import { negateMoney, subtractMoney } from '#lib/core/money.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import {
  type BaseMismatch,
  type CoarseReversal,
  listOpenItems,
  type RepeatedReversal,
  type UnresolvedRecipient,
} from '#lib/evidence/reads/open-items.ts';
import { BENIGN_REASON, COARSE_BASIS } from '#lib/evidence/rules/evidence.ts';
import { sumCounts } from '#lib/evidence/rules/totals.ts';
import { reasonTextOf } from '#lib/subscriptions/text.ts';
import { loadMonth } from '../../load-month.ts';
import styles from './open-items.module.css';
import { Unattributed } from './unattributed.tsx';

export const metadata: Metadata = { title: 'Open items' };

interface OpenItemsPageProps {
  params: Promise<{ game: string; month: string }>;
}

export default async function OpenItemsPage({ params }: OpenItemsPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const { snapshot } = row;
  if (snapshot === null) return null;
  const { snapshotId } = snapshot;
  const { unresolved, baseMismatches, coarseReversals, repeatedReversals, unattributed, isSearched } = await listOpenItems(
    db(),
    game.gameId,
    { snapshotId, window: row.window },
  );
  const counted = Object.entries(snapshot.totals.unattributed_reasons).map(([reason, count]) => ({ reason, count }));
  const reasons = counted.filter(({ reason, count }) => reason !== BENIGN_REASON && count > 0);
  const benignCount = counted.find(({ reason }) => reason === BENIGN_REASON)?.count ?? 0;
  const isClear = reasons.length + unresolved.length + baseMismatches.length + coarseReversals.length + repeatedReversals.length === 0;
  const recipientsHref = `/${game.slug}/recipients`;
  return (
    <>
      {isClear && (
        <EmptyState title="No open items">
          Every recipient was found, every base matches, every reversal has receipts, and every renewal without attribution has a known
          reason.
        </EmptyState>
      )}
      <Reasons reasons={reasons} />
      <Unattributed
        slug={game.slug}
        month={row.month}
        count={sumCounts(reasons.map(({ count }) => count))}
        renewals={unattributed}
        isSearched={isSearched}
        person={person}
      />
      <LineItem
        title="Recipients not found by Invo"
        count={snapshot.unresolvedRecipientCount}
        advice="Invo can’t find the player record. The amount is kept under the player ID. Don’t pay it until the recipient is known."
        columns={unresolvedColumns(recipientsHref)}
        rows={unresolved}
        keyOf={({ recipientPlayerId }) => recipientPlayerId}
      />
      <LineItem
        title="Base differs from settled price minus fee"
        count={snapshot.baseMismatchCount}
        advice="Invo applied the share to a different base than price minus Invo fee. The attributed amount stays as recorded at settlement. Confirm it with Invo before paying."
        label="Lines with a different base"
        columns={baseColumns(recipientsHref)}
        rows={baseMismatches}
        keyOf={({ periodId }) => periodId}
      />
      <LineItem
        title="Reversals that another month reports too"
        count={Math.max(snapshot.repeatedReversalCount, repeatedReversals.length)}
        advice="Invo reports a reversal without receipts once, in the month of the period’s latest refund, as the whole amount reversed so far. These are in the snapshots of several months, so sums over them count the earlier amount twice. Re-check the earlier month before you pay from either. No figure was adjusted."
        columns={repeatedColumns(recipientsHref, game)}
        rows={repeatedReversals}
        keyOf={({ periodId }) => periodId}
      />
      <LineItem
        title="Reversals without receipts"
        count={Math.max(snapshot.coarseReversalCount, coarseReversals.length)}
        advice="Invo has no receipts for these refunds and reports each as one amount in the month of its latest refund. Partner revenue reversed is not reported."
        columns={coarseColumns(recipientsHref)}
        rows={coarseReversals}
        keyOf={({ periodId }) => periodId}
      />
      {benignCount > 0 && (
        <Notice voice="note" title={`${countNoun(benignCount, 'renewal')} without a configured revenue share`}>
          No recipient earns on {benignCount === 1 ? 'it' : 'them'}. Nothing to do (no_revenue_share_configured).
        </Notice>
      )}
    </>
  );
}

/** Renewals that settled without attribution, by Invo’s reason. The report counts them and lists no lines. */
function Reasons({ reasons }: { reasons: { reason: string; count: number }[] }): ReactElement {
  const sorted = reasons
    .map((each) => ({ ...each, text: reasonTextOf(each.reason) }))
    .toSorted((a, b) => Number(b.text.isBlocking) - Number(a.text.isBlocking) || b.count - a.count);
  return (
    <>
      {sorted.map(({ reason, count, text }) => (
        <OpenItem
          key={reason}
          title={text.title}
          count={count}
          isBlocking={text.isBlocking}
          advice={`${countNoun(count, 'settled renewal')} without attribution (${reason}). ${text.advice}`}
        />
      ))}
    </>
  );
}

interface OpenItemProps {
  title: string;
  count: number;
  /** What it means and what to do. */
  advice: string;
  /** Paying must wait for it. */
  isBlocking?: boolean;
  /** Rows listed; fewer than the count when there are many. */
  shownCount?: number;
  children?: ReactNode;
}

function OpenItem({ title, count, advice, isBlocking = false, shownCount, children }: OpenItemProps): ReactElement {
  return (
    <div className={styles.item}>
      <h2 className={styles.title}>
        {title} <Flag tone={isBlocking ? 'bad' : 'wait'} word={formatCount(count)} />
      </h2>
      <p className={styles.advice}>{advice}</p>
      {children}
      {shownCount !== undefined && shownCount < count && (
        <p className={styles.more}>
          First {formatCount(shownCount)} of {formatCount(count)}.
        </p>
      )}
    </div>
  );
}

/** An item with the rows it counts; nothing without any. The table is named after it where it has no label of its own. */
function LineItem<Row>({
  title,
  count,
  advice,
  label = title,
  ...table
}: Pick<OpenItemProps, 'title' | 'count' | 'advice'> & Omit<SimpleTableProps<Row>, 'label'> & { label?: string }): ReactElement | null {
  if (table.rows.length === 0) return null;
  return (
    <OpenItem title={title} count={count} shownCount={table.rows.length} advice={advice}>
      <SimpleTable label={label} {...table} />
    </OpenItem>
  );
}

function unresolvedColumns(recipientsHref: string): SimpleColumn<UnresolvedRecipient>[] {
  return [
    { label: 'Player', cell: (row) => <Link href={`${recipientsHref}/${row.recipientPlayerId}`}>Player {row.recipientPlayerId}</Link> },
    { label: 'Renewals', isFigure: true, isWideOnly: true, cell: (row) => formatCount(row.renewalCount) },
    { label: 'Gross', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.gross_attributed_usd} /> },
    { label: 'Reversed', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={negateMoney(row.reversed_attributed_usd)} /> },
    { label: 'Net attributed, USD', isFigure: true, cell: (row) => <Money amount={row.net_attributed_usd} isStrong /> },
  ];
}

function lineColumns<Row extends { periodId: number; recipientPlayerId: number; paidAt: string }>(
  recipientsHref: string,
): SimpleColumn<Row>[] {
  return [
    { label: 'Period', cell: (row) => row.periodId },
    { label: 'Recipient', cell: (row) => <Link href={`${recipientsHref}/${row.recipientPlayerId}`}>Player {row.recipientPlayerId}</Link> },
    { label: 'Settled', isWideOnly: true, cell: (row) => <Instant at={row.paidAt} precision="second" /> },
  ];
}

function baseColumns(recipientsHref: string): SimpleColumn<BaseMismatch>[] {
  return [
    ...lineColumns<BaseMismatch>(recipientsHref),
    { label: 'Base recorded', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.recorded_base_usd} /> },
    { label: 'Base expected', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.expected_base_usd} /> },
    { label: 'Difference', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={baseDifference(row)} /> },
    { label: 'Attributed, USD', isFigure: true, cell: (row) => <Money amount={row.attributed_amount_usd} isStrong /> },
  ];
}

function baseDifference({ recorded_base_usd: recorded, expected_base_usd: expected }: BaseMismatch): string | null {
  return recorded === null || expected === null ? null : subtractMoney(recorded, expected);
}

function repeatedColumns(recipientsHref: string, { slug, timeZone }: Pick<Game, 'slug' | 'timeZone'>): SimpleColumn<RepeatedReversal>[] {
  return [
    { label: 'Period', cell: (row) => row.periodId },
    {
      label: 'Recipient',
      isWideOnly: true,
      cell: (row) => <Link href={`${recipientsHref}/${row.recipientPlayerId}`}>Player {row.recipientPlayerId}</Link>,
    },
    { label: 'Originally attributed', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.originally_attributed_usd} /> },
    { label: 'Reversed, USD', isFigure: true, cell: (row) => <Money amount={negateMoney(row.reversed_attributed_usd)} isStrong /> },
    {
      label: 'In another month, USD',
      isFigure: true,
      cell: ({ others }) =>
        others.map(({ window, reversed_attributed_usd: amount }) => (
          <div key={window.start}>
            <OtherWindow window={window} slug={slug} timeZone={timeZone} /> <Money amount={negateMoney(amount)} />
          </div>
        )),
    },
  ];
}

/** A month by its name, another window by its start. */
function OtherWindow({ window, slug, timeZone }: { window: Window; slug: string; timeZone: string }): ReactElement {
  const month = monthOfWindow(window, timeZone);
  if (month === null) return <>from {formatUtc(window.start)}</>;
  return <Link href={`/${slug}/months/${month}/open-items`}>{formatMonth(month)}</Link>;
}

function coarseColumns(recipientsHref: string): SimpleColumn<CoarseReversal>[] {
  return [
    ...lineColumns<CoarseReversal>(recipientsHref),
    {
      label: 'Basis',
      isWideOnly: true,
      cell: ({ reversalBasis }) => <Flag tone="wait" word={reversalBasis === COARSE_BASIS ? 'whole period' : reversalBasis} />,
    },
    { label: 'Originally attributed', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.originally_attributed_usd} /> },
    { label: 'Reversed, USD', isFigure: true, cell: (row) => <Money amount={negateMoney(row.reversed_attributed_usd)} isStrong /> },
    { label: 'Partner revenue reversed', isFigure: true, isWideOnly: true, cell: () => <Money amount={null} /> },
  ];
}
