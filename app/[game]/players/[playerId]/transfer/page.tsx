import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../player-tab.tsx';

export const metadata: Metadata = { title: 'Move coins' };

export default async function MovePage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  const target = { kind: 'transfer_start', playerId, gameId: null, phone: null, startId: null } as const;
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={target} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Move coins',
  entry: 'transfer',
  press: 'Move',
  reason: 'requested_by_player',
  consequences: (_, name) => [
    `When this is sent, Invo reserves the coins of ${name}. They go to the same person in the game that you choose, less Invo’s fees.`,
    'Nothing moves until the player’s own phone approves and you move the coins.',
    'Invo’s answer then has a claim code. You see it once, and nobody else does.',
    'The player collects in the other game, with the phone or with the code. Otherwise the coins go back.',
  ],
};
