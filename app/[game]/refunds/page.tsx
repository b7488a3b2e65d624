import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { storedNow } from '#app/_server/clock.ts';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { findRefundStop } from '#db/refunds/reads/refund-preconditions.ts';
import { countRefundsForPeople, findRegisterStanding, listRefundsForPeople } from '#db/refunds/reads/refunds-needing-action.ts';
import { StopDialog } from '../_refunds/stop/stop-dialog.tsx';
import { StopNotice } from '../_refunds/stop/stop-notice.tsx';
import { loadFirstRows, type SearchParams } from '../_rows/first-rows.ts';
import { loadRefunds } from './load-refunds.ts';
import { refundTable } from './refund-table.ts';
import { WaitingList } from './waiting-list.tsx';

interface RefundsPageProps {
  params: Promise<{ game: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Refunds' };

const WAITING_MAX = 25;

export default async function RefundsPage({ params, searchParams }: RefundsPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const [standing, stop, count, waiting, now] = await Promise.all([
    findRegisterStanding(db(), game.gameId),
    findRefundStop(db(), game.gameId),
    countRefundsForPeople(db(), game.gameId),
    listRefundsForPeople(db(), game.gameId, WAITING_MAX),
    storedNow(),
  ]);
  const spec = refundTable(game.slug, { mayAsk: person.may('refunds.request'), mayTake: person.may('files.export') });
  const first = await loadFirstRows(spec, searchParams, (asked) => loadRefunds(game, asked, person.id));
  return (
    <>
      <PageHead
        title="Refunds"
        actions={person.may('refunds.request') && stop === null && <StopDialog game={{ slug: game.slug, name: game.name }} />}
      >
        Every refund asked for here, with what became of it at Invo. Each is sent under one key, so it can never happen twice.
      </PageHead>
      <StopNotice game={game} person={person} stop={stop} />
      <RefreshWhile isBusy={standing.isMoving} />
      {standing.isEmpty ? (
        <EmptyState title="No refund was asked for yet">
          {person.may('refunds.request')
            ? 'Look up the player’s e-mail or the subscription, open the period that was charged, and choose “Refund”.'
            : 'They appear here once somebody from support, finance or an admin asks for one.'}
        </EmptyState>
      ) : (
        <>
          <WaitingList slug={game.slug} waiting={waiting} count={count} person={person} now={now} />
          <DataTable key={standing.token} spec={spec} first={first} />
          <TableNote>Amounts in USD, times in UTC. The owner is who sees a refund through.</TableNote>
        </>
      )}
    </>
  );
}
