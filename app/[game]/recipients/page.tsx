import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatMonth } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { listCompleteMonths } from '#lib/evidence/reads/recipients.ts';
import type { SearchParams } from '../_rows/define-list.ts';
import { RepeatedNotice } from '../_rows/repeated-notice.tsx';
import { allRecipientsList, allRecipientsOf } from './all-recipients-list.ts';

interface RecipientsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipients' };

export default async function RecipientsPage({ params, searchParams }: RecipientsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const { months: complete, repeated } = await listCompleteMonths(db(), game);
  const [newest, oldest] = [complete[0], complete.at(-1)];
  if (!newest || !oldest) {
    return (
      <>
        <PageHead title="Recipients" />
        <EmptyState title="No complete month yet">
          Recipients appear here when a month reconciles. Go to <Link href={`/${game.slug}/months`}>months</Link>.
        </EmptyState>
      </>
    );
  }
  const { spec, first } = await allRecipientsList.loadFirst(allRecipientsOf(game, person, complete), searchParams);
  const span = newest === oldest ? formatMonth(newest.month) : `${formatMonth(oldest.month)} to ${formatMonth(newest.month)}`;
  return (
    <>
      <PageHead title="Recipients">
        Attributed over {countNoun(complete.length, 'complete month')}, {span}. Open months aren’t included.
      </PageHead>
      <RepeatedNotice repeated={repeated} game={game} />
      <DataTable key={newest.snapshotId} spec={spec} first={first} />
      <TableNote>Amounts in USD with every digit Invo reported.</TableNote>
    </>
  );
}
