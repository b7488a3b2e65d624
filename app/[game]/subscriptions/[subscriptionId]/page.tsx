import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import type { SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { AskingSkeleton } from '#app/[game]/_subscriptions/asking-skeleton.tsx';
import { readOffset } from '#app/[game]/_subscriptions/read-offset.ts';
import { parseSubscriptionId } from '#lib/search/rules/parse-search.ts';
import { SubscriptionBody } from './subscription-body.tsx';

interface SubscriptionPageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Subscription' };

export default async function SubscriptionPage({ params, searchParams }: SubscriptionPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  const offset = readOffset((await searchParams)['from']);
  return (
    <>
      <PageHead title="Subscription">{`${subscriptionId} of ${game.name}`}</PageHead>
      <Suspense key={offset} fallback={<AskingSkeleton />}>
        <SubscriptionBody game={game} subscriptionId={subscriptionId} offset={offset} person={person} />
      </Suspense>
    </>
  );
}
