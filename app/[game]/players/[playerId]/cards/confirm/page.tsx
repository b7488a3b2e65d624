import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../../player-tab.tsx';

export const metadata: Metadata = { title: 'Confirm a card' };

export default async function CardConfirmPage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind: 'card_confirm', playerId }} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Confirm a card',
  entry: 'set_up',
  press: 'Confirm the card',
  reason: 'technical_fault',
  consequences: () => [
    'Invo saves the card if the bank has checked it. It may be charged when coins run short.',
    'If the bank’s check isn’t finished, nothing is saved, and you can confirm again later.',
    'Confirming twice is safe.',
  ],
};
