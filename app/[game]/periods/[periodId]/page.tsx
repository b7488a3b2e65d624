import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { AskingSkeleton } from '#app/[game]/_subscriptions/asking-skeleton.tsx';
import { parseNumericId } from '#lib/search/rules/parse-search.ts';
import { PeriodBody } from './period-body.tsx';

interface PeriodPageProps {
  params: Promise<{ game: string; periodId: string }>;
}

export async function generateMetadata({ params }: PeriodPageProps): Promise<Metadata> {
  return { title: `Period ${(await params).periodId}` };
}

export default async function PeriodPage({ params }: PeriodPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, periodId: text } = await params;
  const game = await requireGame(slug);
  const periodId = parseNumericId(text) ?? notFound();
  return (
    <>
      <PageHead title={`Period ${periodId}`}>
        One billing period of a subscription in {game.name}: what was paid, what went back, and to whom.
      </PageHead>
      <Suspense fallback={<AskingSkeleton />}>
        <PeriodBody game={game} periodId={periodId} canSeeEmails={person.may('emails.read')} mayRefund={person.may('refunds.request')} />
      </Suspense>
    </>
  );
}
