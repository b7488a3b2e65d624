import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readPlayerCards } from '#lib/players/read-player.ts';
import { findShownPlayer, openTab, type PlayerParams, PlayerTab, type ReadTab } from '../player-tab.tsx';
import { PlayerCardsTable } from '../player-wallet.tsx';

export default async function CardsPage({ params }: PlayerParams): Promise<ReactElement> {
  return <PlayerTab tab={await openTab({ params })} body={showCards} />;
}

async function showCards({ game, person, playerId, context, player }: ReadTab): Promise<ReactElement> {
  const cards = await readPlayerCards(context, player);
  const found = await findShownPlayer({ game, playerId });
  const mayConfirm = person.may('actions.request') && found?.beside.isOn.payments === true;
  return (
    <div className={detail.page}>
      <ReadNotices together="the cards" reads={[{ detail: cards, what: 'the cards' }]} />
      <ReadLine detail={cards} timeZone={game.timeZone} />
      <section>
        <h2>Saved cards</h2>
        <PlayerCardsTable cards={cards} />
      </section>
      {mayConfirm && (
        <p>
          <LinkButton href={`/${game.slug}/players/${playerId}/cards/confirm`}>Confirm a card…</LinkButton>
        </p>
      )}
      <p className={detail.quiet}>Expired cards aren’t listed, so a card that is missing here wasn’t necessarily removed.</p>
    </div>
  );
}
