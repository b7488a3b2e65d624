import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { loadFirstRows, type SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { loadRows, loadStatement } from '#app/[game]/_rows/load-rows.ts';
import { recipientTable } from '#app/[game]/_rows/tables/recipient-table.ts';
import { withFile } from '#app/[game]/_rows/with-file.ts';
import { countRecipientChips } from '#db/evidence/reads/recipient-rows.ts';
import { loadMonth } from './load-month.ts';

interface RecipientsPageProps {
  params: Promise<{ game: string; month: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipients' };

export default async function RecipientsPage({ params, searchParams }: RecipientsPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const statement = await loadStatement(game, row.month, new URLSearchParams());
  if (!statement) return null;
  const canSeeEmails = person.may('emails.read');
  const table = recipientTable(statement, await countRecipientChips(db(), statement), canSeeEmails);
  const spec = withFile(table, statement, 'recipients', person.may('files.export'));
  const first = await loadFirstRows(spec, searchParams, (asked) => loadRows('recipients', statement, asked, { canSeeEmails }));
  return (
    <>
      <DataTable key={statement.snapshot.snapshotId} spec={spec} first={first} />
      <TableNote>Amounts in USD as Invo reported them, to every digit. Reversed amounts belong to the month of the refund.</TableNote>
    </>
  );
}
