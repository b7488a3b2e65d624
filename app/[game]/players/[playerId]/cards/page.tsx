import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readPlayer, readPlayerCards } from '#lib/players/read-player.ts';
import { type OpenTab, openTab, type PlayerParams } from '../open-tab.ts';
import { PlayerNotice } from '../player-notice.tsx';
import { PlayerCardsCard } from '../player-wallet.tsx';

export default async function CardsPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <Cards {...tab} />
    </Suspense>
  );
}

async function Cards({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player')
    return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={person.may('emails.read')} />;
  const cards = await readPlayerCards(context, player);
  return (
    <div className={detail.page}>
      <ReadNotices together="the cards" reads={[{ detail: cards, what: 'the cards' }]} />
      <ReadLine detail={cards} timeZone={game.timeZone} />
      <PlayerCardsCard cards={cards} />
      <p className={detail.quiet}>Expired cards aren’t listed, so a card that is missing here wasn’t necessarily removed.</p>
    </div>
  );
}
