import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { z } from 'zod';
import { requirePerson } from '#app/_server/session.ts';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab } from '#app/[game]/players/[playerId]/player-tab.tsx';

export const metadata: Metadata = { title: 'Redeem a reward' };

export default async function RedeemPage({
  params,
}: {
  params: Promise<{ game: string; playerId: string; entry: string }>;
}): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  const entry = z.uuid().safeParse((await params).entry);
  const vaultEntryId = entry.success ? entry.data : notFound();
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind: 'redeem', playerId, vaultEntryId }} text={TEXT} />
    </Suspense>
  );
}

const TEXT: Parameters<typeof RequestPage>[0]['text'] = {
  title: ({ vault }) => (vault?.state === 'redeemed' ? 'Show the code of a reward again' : 'Redeem a reward'),
  entry: null,
  press: ({ vault }) => (vault?.state === 'redeemed' ? 'Show the code again' : 'Redeem the reward'),
  reason: 'requested_by_player',
  consequences: ({ vault }, name) => [
    vault?.state === 'redeemed'
      ? `The reward of ${name} is redeemed already. Invo shows its code once more.`
      : `Invo redeems the reward for ${name}. That can’t be undone.`,
    ...(typeof vault?.reveal_until === 'string'
      ? [`Invo shows it until ${formatUtc(vault.reveal_until)}, so it must be sent before.`]
      : []),
    'The code is shown once, to you alone. Anyone who has it can use it.',
    'If Invo doesn’t answer, it isn’t sent again: the player’s vault shows whether the reward was redeemed.',
  ],
};
