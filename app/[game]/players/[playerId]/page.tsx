import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import type { SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { AskingSkeleton } from '#app/[game]/_subscriptions/asking-skeleton.tsx';
import { readOffset } from '#app/[game]/_subscriptions/read-offset.ts';
import { parseNumericId } from '#lib/search/rules/parse-search.ts';
import { PlayerBody } from './player-body.tsx';

interface PlayerPageProps {
  params: Promise<{ game: string; playerId: string }>;
  searchParams: SearchParams;
}

export async function generateMetadata({ params }: PlayerPageProps): Promise<Metadata> {
  return { title: `Player ${(await params).playerId}` };
}

export default async function PlayerPage({ params, searchParams }: PlayerPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, playerId: text } = await params;
  const game = await requireGame(slug);
  const playerId = parseNumericId(text) ?? notFound();
  const offset = readOffset((await searchParams)['from']);
  return (
    <>
      <PageHead title={`Player ${playerId}`}>Wallet, cards and subscriptions of one player of {game.name}.</PageHead>
      <Suspense key={offset} fallback={<AskingSkeleton />}>
        <PlayerBody game={game} playerId={playerId} offset={offset} canSeeEmails={person.may('emails.read')} />
      </Suspense>
    </>
  );
}
