import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { loadFirstRows, type SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { loadRows, loadStatement } from '#app/[game]/_rows/load-rows.ts';
import { renewalTable } from '#app/[game]/_rows/tables/renewal-table.ts';
import { withFile } from '#app/[game]/_rows/with-file.ts';
import { loadMonth } from '../load-month.ts';

interface LinesPageProps {
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Lines' };

export default async function LinesPage({ params, searchParams }: LinesPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const statement = await loadStatement(game, row.month, new URLSearchParams());
  if (!statement) return null;
  const spec = withFile(renewalTable(statement), statement, 'renewals', person.may('files.export'));
  const first = await loadFirstRows(spec, searchParams, (asked) =>
    loadRows('renewals', statement, asked, { canSeeEmails: person.may('emails.read') }),
  );
  return (
    <>
      <DataTable key={statement.snapshot.snapshotId} spec={spec} first={first} />
      <TableNote>
        Amounts in USD, coins in coins and never converted, instants in UTC. A line stands in the month it was settled in, whatever its
        billing period. The share is the one in force at the renewal.
      </TableNote>
    </>
  );
}
