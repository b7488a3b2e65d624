import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { MONTH_LISTS } from '#app/[game]/_rows/month-lists.ts';
import { findMonthSource } from '#app/[game]/_rows/month-source.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
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

/** One sheet of a month as a table; nothing for a month without a snapshot, of which the layout says why. */
export async function SheetPage({ sheet, params, searchParams }: SheetPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const source = await findMonthSource(game, row.month, person);
  if (source === null) return null;
  const { spec, first } = await MONTH_LISTS[sheet].loadFirst(source, searchParams);
  return (
    <>
      <DataTable key={source.snapshot.snapshotId} spec={spec} first={first} />
      <TableNote>{NOTES[sheet]}</TableNote>
    </>
  );
}
