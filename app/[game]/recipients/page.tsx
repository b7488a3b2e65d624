import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { listMonthsWithSnapshot } from '#db/evidence/reads/recipients.ts';
import { loadFirstRows, type SearchParams } from '../_rows/first-rows.ts';
import { allRecipientsTable } from './all-recipients-table.ts';
import { loadRecipients } from './load-recipients.ts';

interface RecipientsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipients' };

export default async function RecipientsPage({ params, searchParams }: RecipientsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const complete = (await listMonthsWithSnapshot(db(), game)).filter((month) => month.status === 'complete');
  const [newest, oldest] = [complete[0], complete.at(-1)];
  if (!newest || !oldest) {
    return (
      <>
        <PageHead title="Recipients" />
        <EmptyState title="No month is complete yet">
          Recipients appear here once a month is closed and proven. See the <Link href={`/${game.slug}/months`}>months</Link>.
        </EmptyState>
      </>
    );
  }
  const canSeeEmails = person.may('emails.read');
  const spec = allRecipientsTable(game.slug, canSeeEmails);
  const first = await loadFirstRows(spec, searchParams, (asked) => loadRecipients(game, asked, canSeeEmails));
  const span = newest === oldest ? formatMonth(newest.month) : `${formatMonth(oldest.month)} to ${formatMonth(newest.month)}`;
  return (
    <>
      <PageHead title="Recipients">
        Attributed over {complete.length === 1 ? 'one complete month' : `${complete.length} complete months`}, {span}. Open months are not
        in these figures.
      </PageHead>
      <DataTable key={newest.snapshotId} spec={spec} first={first} />
      <TableNote>Amounts in USD as Invo reported them, to every digit.</TableNote>
    </>
  );
}
