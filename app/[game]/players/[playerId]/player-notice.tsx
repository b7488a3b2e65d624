import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { SearchElsewhere } from '#app/_shell/search/search-provider.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { nameGame } from '#app/[game]/_subscriptions/name-game.ts';
import type { PlayerDetail } from '#lib/players/read-player-detail.ts';

interface PlayerNoticeProps {
  player: Exclude<PlayerDetail, { kind: 'player' }>;
  game: Game;
  playerId: number;
  canSeeEmails: boolean;
}

/** Why Invo's answer about a player is not on the page, and what to do. */
export async function PlayerNotice({ player, game, playerId, canSeeEmails }: PlayerNoticeProps): Promise<ReactElement> {
  if (player.kind === 'unknown')
    return (
      <EmptyState title={`Player ${playerId} is not in what Sharebook holds`}>
        Invo can be asked about a player by e-mail only. Look them up by e-mail, or by the id of one of their subscriptions; afterwards this
        page knows them.
      </EmptyState>
    );
  if (player.kind === 'no_email')
    return (
      <Notice voice="wait" title="The e-mail of this player is not held, so Invo could not be asked">
        Look the player up by e-mail, or open one of their subscriptions; afterwards this page shows wallet, cards and subscriptions.
      </Notice>
    );
  if (player.kind === 'other_player')
    return (
      <Notice voice="bad" title="The e-mail held for this player now belongs to somebody else">
        Nothing that Invo answered is shown here. It speaks of{' '}
        <Link href={`/${game.slug}/players/${player.playerId}`}>player {player.playerId}</Link>. Look this player up by their new e-mail.
      </Notice>
    );
  const others = (await listGames())
    .filter(({ slug }) => slug !== game.slug)
    .map((other) => ({ slug: other.slug, label: nameGame(other) }));
  const isOffered = canSeeEmails && player.held.email !== null && others.length > 0;
  return (
    <Notice
      voice="wait"
      title="Invo knows no such player"
      actions={isOffered ? <SearchElsewhere others={others} text={player.held.email ?? ''} /> : undefined}
    >
      No player of this e-mail exists in {nameGame(game)}: no wallet was ever seen and there are no subscriptions. The e-mail may have
      changed since it was held.
    </Notice>
  );
}
