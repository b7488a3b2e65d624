import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../player-tab.tsx';

export const metadata: Metadata = { title: 'Sell an item' };

export default async function ItemPage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind: 'item_sale', playerId }} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Sell an item',
  entry: 'item',
  press: 'Sell',
  whom: (name) => `to ${name}`,
  reason: 'technical_fault',
  consequences: (_, name) => [
    `Invo takes the coins of ${name}: quantity times unit price, once. Deliver the item in the game.`,
    'Invo keeps a 10 % network fee of the sale.',
    'If Invo doesn’t answer, Sharebook sends the same sale again for a day.',
  ],
};
