import type { ReactElement, ReactNode } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { PayoutPauseNotice } from '#app/[game]/_payouts/payout-notices.tsx';

interface PayoutsLayoutProps {
  children: ReactNode;
  params: Promise<{ game: string }>;
}

/** Every page about payouts says first when they are paused. */
export default async function PayoutsLayout({ children, params }: PayoutsLayoutProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  return (
    <>
      <PayoutPauseNotice game={game} person={person} />
      {children}
    </>
  );
}
