import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../player-tab.tsx';

export const metadata: Metadata = { title: 'Payment link' };

export default async function LinkPage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind: 'payment_link', playerId }} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Payment link',
  entry: 'amount',
  press: 'Make a payment link',
  reason: 'requested_by_player',
  consequences: (_, name) => [
    `${name} pays on Invo’s page, by their own card. No card data reaches you, and none of their coins move.`,
    'Anyone who has the link can pay it, once. It expires after 15 minutes.',
    'The coins are credited when the player pays.',
  ],
};
