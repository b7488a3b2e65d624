import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { countForBadges } from '#app/_shell/badge-count.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { findRegister } from '#lib/refunds/reads/refunds-needing-action.ts';
import { resumeRefundsAction } from '../_pauses/actions.ts';
import { ResumeForm } from '../_pauses/resume-form.tsx';
import { PauseDialog } from '../_refunds/pause.tsx';
import { PauseNotice } from '../_refunds/pause-notice.tsx';
import type { SearchParams } from '../_rows/define-list.ts';
import { refundsList, refundsOf } from './refund-table.ts';
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
  const [register, { refunds: count }] = await Promise.all([
    findRegister(db(), game.gameId, { waitingMax: WAITING_MAX }),
    countForBadges(game.gameId, person.id),
  ]);
  const { pause, waiting, readAt, elsewhereCount } = register;
  const { spec, first } = await refundsList.loadFirst(refundsOf(game, person), searchParams);
  return (
    <>
      <PageHead
        title="Refunds"
        actions={person.may('refunds.request') && pause === null && <PauseDialog game={{ slug: game.slug, name: game.name }} />}
      >
        Refunds requested in Sharebook and their outcome at Invo. Each has its own idempotency key, so it can’t be made twice.
      </PageHead>
      <PauseNotice game={game} person={person} pause={pause}>
        <ResumeForm slug={game.slug} what="refunds" person={person} pause={pause} action={resumeRefundsAction} />
      </PauseNotice>
      <RefreshWhile isBusy={register.isMoving} />
      {elsewhereCount > 0 && person.may('deliveries.read') && (
        <TableNote>
          Not in this list: <Link href={`/${game.slug}/webhooks?show=elsewhere`}>{countNoun(elsewhereCount, 'refund')} made elsewhere</Link>
          , as Invo reported by webhook.
        </TableNote>
      )}
      {register.isEmpty ? (
        <EmptyState title="No refunds yet">
          {person.may('refunds.request')
            ? 'Search for the player or the subscription, open the charged period and choose “Refund”.'
            : 'Refunds appear here when support, finance or an admin requests one.'}
        </EmptyState>
      ) : (
        <>
          <WaitingList slug={game.slug} waiting={waiting} count={count} person={person} now={readAt} />
          <DataTable key={register.token} spec={spec} first={first} />
          <TableNote>Amounts in USD, times in UTC.</TableNote>
        </>
      )}
    </>
  );
}
