import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import { db } from '#app/_server/wiring.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listPlayerSubscriptions } from '#db/players/reads/list-player-subscriptions.ts';
import { listOwnRefunds } from '#db/refunds/reads/refund-preconditions.ts';
import { readPlayerDetail } from '#lib/players/read-player-detail.ts';
import { PlayerCardsCard } from './player-cards.tsx';
import { PlayerNotice } from './player-notice.tsx';
import { PlayerSubscriptionsTable } from './player-subscriptions.tsx';
import { PlayerWallet } from './player-wallet.tsx';
import { WhoCard } from './who-card.tsx';

interface PlayerBodyProps {
  game: Game;
  playerId: number;
  offset: number;
  canSeeEmails: boolean;
}

/** Everything about one player once Invo was asked by the e-mail that is held. */
export async function PlayerBody({ game, playerId, offset, canSeeEmails }: PlayerBodyProps): Promise<ReactElement> {
  const [player, known] = await Promise.all([
    openGameContext(game).then((desk) => readPlayerDetail(desk, playerId, { offset })),
    listPlayerSubscriptions(db(), game.gameId, playerId),
  ]);
  const refunds = await listOwnRefunds(db(), game.gameId, { subscriptionIds: known.map(({ subscriptionId }) => subscriptionId) });
  if (player.kind === 'unknown') return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />;
  return (
    <>
      {player.kind === 'player' ? (
        <ReadNotices
          together="this player"
          reads={[
            { detail: player.subscriptions, what: 'the subscriptions' },
            { detail: player.balances, what: 'the wallet' },
            { detail: player.cards, what: 'the cards' },
          ]}
        />
      ) : (
        <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={canSeeEmails} />
      )}
      <FieldNames>
        <div className={detail.page}>
          <div className={detail.top}>
            <WhoCard slug={game.slug} player={player} canSeeEmails={canSeeEmails} timeZone={game.timeZone} />
            {player.kind === 'player' && <PlayerWallet balances={player.balances} />}
          </div>
          {player.kind === 'player' && (
            <>
              <PlayerSubscriptionsTable
                slug={game.slug}
                playerId={playerId}
                subscriptions={player.subscriptions}
                wallet={player.balances.kind}
                known={known}
                offset={offset}
              />
              <PlayerCardsCard cards={player.cards} />
            </>
          )}
          <OwnRefunds slug={game.slug} refunds={refunds} />
        </div>
      </FieldNames>
    </>
  );
}
