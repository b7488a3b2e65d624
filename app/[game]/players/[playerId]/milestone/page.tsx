import type { Metadata } from 'next';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { UnlockCards } from '#app/[game]/_actions/unlock-cards.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab, type PlayerParams } from '../player-tab.tsx';

export const metadata: Metadata = { title: 'Report a milestone' };

export default async function MilestonePage({ params }: PlayerParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind: 'milestone', playerId }} text={TEXT}>
        <UnlockCards game={game} person={person} playerId={playerId} />
      </RequestPage>
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: 'Report a milestone',
  entry: 'milestone',
  press: 'Report',
  reason: 'event_outage',
  consequences: (_, name) => [
    `Invo records the milestone for ${name} as reported by your server. Rewards of real value can unlock on it.`,
    'It counts once, however often it is sent. If Invo doesn’t answer, Sharebook sends the same event again for a day.',
  ],
};
