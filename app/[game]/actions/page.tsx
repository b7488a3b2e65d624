import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { ActionPauseNotice, PauseActionsDialog } from '#app/_pauses/action-pauses.tsx';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { findActionsOverview } from '#lib/actions/reads/list-actions.ts';
import { formatWaiting } from '#lib/actions/text.ts';
import type { SearchParams } from '../_rows/define-list.ts';
import { actionsList, actionsOf } from './action-table.ts';

interface ActionsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Actions' };

export default async function ActionsPage({ params, searchParams }: ActionsPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const game = await requireGame((await params).game);
  const { pause, ...overview } = await findActionsOverview(db(), game.gameId, person.id);
  const { spec, first } = await actionsList.loadFirst(actionsOf(game, person), searchParams);
  return (
    <>
      <PageHead title="Actions" actions={person.may('actions.request') && pause === null && <PauseActionsDialog game={game} />}>
        What support, live-ops and finance do at Invo for a player, beside refunds. Each is stored before it is sent.
      </PageHead>
      <ActionPauseNotice game={game} person={person} pause={pause} />
      {overview.isEmpty ? (
        <EmptyState title="No desk actions yet">They start on the page of a player, an order or a transfer.</EmptyState>
      ) : (
        <>
          {overview.waitingCount > 0 && (
            <TableNote>
              {formatWaiting(overview)} <Link href={`/${game.slug}/actions?show=for_people`}>Show what needs action</Link>.
            </TableNote>
          )}
          <DataTable key={overview.token} spec={spec} first={first} />
          <TableNote>Times in UTC.</TableNote>
        </>
      )}
    </>
  );
}
