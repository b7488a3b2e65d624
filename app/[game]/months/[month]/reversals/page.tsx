import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { loadFirstRows, type SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { loadRows, loadStatement } from '#app/[game]/_rows/load-rows.ts';
import { reversalTable } from '#app/[game]/_rows/tables/reversal-table.ts';
import { withFile } from '#app/[game]/_rows/with-file.ts';
import { loadMonth } from '../load-month.ts';

interface ReversalsPageProps {
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Reversals' };

export default async function ReversalsPage({ params, searchParams }: ReversalsPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const statement = await loadStatement(game, row.month, new URLSearchParams());
  if (!statement) return null;
  const spec = withFile(reversalTable(statement), statement, 'reversals', person.may('files.export'));
  const first = await loadFirstRows(spec, searchParams, (asked) =>
    loadRows('reversals', statement, asked, { canSeeEmails: person.may('emails.read') }),
  );
  return (
    <>
      <DataTable key={statement.snapshot.snapshotId} spec={spec} first={first} />
      <TableNote>
        Amounts in USD, instants in UTC. A reversal belongs to the month of the refund, whenever the period was settled. Card fees on
        refunds are not in this report.
      </TableNote>
    </>
  );
}
