import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { PauseNotice } from '#app/[game]/_refunds/pause-notice.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { parseNumericId } from '#lib/core/ids.ts';
import { findRefundPreconditions } from '#lib/refunds/reads/refund-preconditions.ts';
import { LoadForm } from './load-form.tsx';

export const metadata: Metadata = { title: 'Refund a period' };

export default async function RefundFormPage({ params }: { params: Promise<{ game: string; periodId: string }> }): Promise<ReactElement> {
  const person = await requirePerson('refunds.request');
  const { game: slug, periodId: text } = await params;
  const game = await requireGame(slug);
  const periodId = parseNumericId(text) ?? notFound();
  const stored = await findRefundPreconditions(db(), game.gameId, periodId, person.id);
  return (
    <>
      <PageHead title={`Refund period ${periodId}`} actions={<LinkButton href={`/${slug}/periods/${periodId}`}>View period</LinkButton>}>
        Nothing is sent until you confirm. Submitting twice creates only one refund.
      </PageHead>
      <PauseNotice game={game} person={person} pause={stored.pause}>
        <LinkButton href={`/${slug}/refunds`}>All refunds</LinkButton>
      </PauseNotice>
      <Suspense fallback={<LoadingFromInvo />}>
        <LoadForm game={game} periodId={periodId} person={person} stored={stored} />
      </Suspense>
    </>
  );
}
