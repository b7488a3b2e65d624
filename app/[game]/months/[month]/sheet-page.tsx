import type { ReactElement } from 'react';
import { preload } from 'react-dom';
import { db, readComplete } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable, type DataTableProps } from '#app/_ui/data-table/data-table.tsx';
import type { TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { parseView, writeView } from '#app/_ui/data-table/table-view.ts';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { type SearchParams, toParams } from '#app/[game]/_rows/define-list.ts';
import { MONTH_LISTS, type MonthSource, monthSourceOf, sheetSpec } from '#app/[game]/_rows/month-lists.ts';
import { holdSheet, type MonthTable, partHref, shownTotal } from '#app/[game]/_rows/month-table.ts';
import { SheetTable } from '#app/[game]/_rows/sheet-table.tsx';
import type { Db } from '#db/kit/open.ts';
import { findStoredTable, type StoredTable } from '#lib/evidence/reads/stored-table.ts';
import { RENDITION_VERSION, type SheetName } from '#lib/evidence/rules/sheets.ts';
import { loadMonth } from '../load-month.ts';

const NOTES: Record<SheetName, string> = {
  recipients: 'Amounts in USD with every digit Invo reported. Reversed amounts belong to the month of the refund.',
  reversals:
    'Amounts in USD, times in UTC. A reversal belongs to the month of its refund, whenever it was settled. Partner revenue reversed isn’t reported without receipts.',
  renewals:
    'Amounts in USD, coins in coins, times in UTC. A line belongs to the month it settled in, whatever its billing period. The share is the one in force at the renewal.',
};

interface SheetPageProps {
  sheet: SheetName;
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}

/**
 * One sheet of a month as a table; nothing for a month without a snapshot, of which the layout says why. A complete month is shown from
 * what was stored with its snapshot; until that is there, and for an open month, rows are read from its lines.
 */
export async function SheetPage({ sheet, params, searchParams }: SheetPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  if (row.snapshot === null) return null;
  const { snapshotId, status } = row.snapshot;
  const scope = { gameId: game.gameId, snapshotId, canSeeEmails: person.may('emails.read') };
  const find = (database: Db): Promise<StoredTable | null> => findStoredTable(database, scope, sheet, RENDITION_VERSION);
  // How recipients stand beside other months changes with those: the primary knows it.
  const stored = status !== 'complete' ? null : sheet === 'recipients' ? await find(db()) : await readComplete(find);
  if (stored === null) return await LiveSheet({ sheet, source: monthSourceOf(game, row.month, person, row), searchParams });
  const table: MonthTable = {
    slug: game.slug,
    month: row.month,
    snapshotId,
    isComplete: true,
    mayExport: person.may('files.export'),
    canSeeEmails: scope.canSeeEmails,
    months: stored.comparison?.months ?? [row.month],
    hasPrevious: stored.comparison?.hasPrevious ?? false,
    recipient: null,
  };
  const { spec, first, whole } = openStored(sheet, table, stored, toParams(await searchParams));
  const parts = sheet === 'recipients' ? [sheet, 'comparison', 'addresses'] : [sheet];
  for (const part of parts) preload(partHref(table, part), { as: 'fetch', crossOrigin: 'anonymous' });
  return (
    <>
      <SheetTable key={snapshotId} sheet={sheet} table={table} spec={spec} first={first} whole={whole} />
      <TableNote>{NOTES[sheet]}</TableNote>
    </>
  );
}

/** The table of a sheet and its first rows, out of what was stored; the first rows are those of the default view only. */
function openStored(sheet: SheetName, table: MonthTable, stored: StoredTable, params: URLSearchParams): StoredSheet {
  const { head, comparison, addresses, rowCount, sums } = stored;
  const spec = sheetSpec(sheet, table, comparison === null ? undefined : { ...head.counts, ...comparison.counts });
  const whole = shownTotal(spec, { count: rowCount, sums: { ...sums, ...comparison?.sums } });
  const view = parseView(spec, params);
  const isDefault = writeView(spec, { ...view, toggled: [] }) === '';
  const beside = comparison && { columns: comparison.columns, orders: {}, chips: {}, sums: {} };
  const list = holdSheet(sheet, table, spec, { table: head, comparison: beside, addresses, orders: null, whole });
  const rows = isDefault ? (head.columns['recipient_player_id'] ?? []).map((_, index) => list.row(index)) : [];
  return { spec, whole, first: { view, page: { rows, next: null, total: isDefault ? whole : null, isStale: false } } };
}

interface StoredSheet extends Pick<DataTableProps, 'spec' | 'first'> {
  whole: TableTotal;
}

interface LiveSheetProps {
  sheet: SheetName;
  source: MonthSource | null;
  searchParams: SearchParams;
}

async function LiveSheet({ sheet, source, searchParams }: LiveSheetProps): Promise<ReactElement | null> {
  if (source === null) return null;
  const { spec, first } = await MONTH_LISTS[sheet].loadFirst(source, searchParams);
  return (
    <>
      <DataTable key={source.snapshot.snapshotId} spec={spec} first={first} />
      <TableNote>{NOTES[sheet]}</TableNote>
    </>
  );
}
