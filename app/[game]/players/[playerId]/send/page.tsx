import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../player-tab.tsx';

export const metadata: Metadata = { title: 'Send coins' };

export default async function SendPage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  const target = { kind: 'send_start', playerId, housePlayerId: null, gameId: null, phone: null, startId: null } as const;
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={target} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Send coins',
  entry: 'send',
  press: 'Send',
  whom: (name) => `to ${name}`,
  reason: 'prize',
  consequences: (_, name) => [
    `When this is sent, Invo reserves the coins of the house account. ${name} receives them in the game that you choose.`,
    'Nothing moves until the phone of the house account approves and you move the coins.',
    'The claim code goes to the receiver’s phone. Sharebook never sees it.',
    'Invo blocks the same amount to the same receiver in quick succession, and more than 25 sends an hour.',
  ],
};
