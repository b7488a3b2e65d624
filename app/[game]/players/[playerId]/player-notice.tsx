import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { SearchElsewhere } from '#app/_shell/search/search-provider.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatGameName } from '#app/[game]/_subscriptions/format-names.ts';
import type { PlayerRead } from '#lib/players/read-player.ts';

interface PlayerNoticeProps {
  player: Exclude<PlayerRead, { kind: 'player' }>;
  game: Game;
  playerId: number;
  canSeeEmails: boolean;
}

/** Why the page shows no answer about a player, and what to do. */
export async function PlayerNotice({ player, game, playerId, canSeeEmails }: PlayerNoticeProps): Promise<ReactElement> {
  if (player.kind === 'unknown')
    return (
      <EmptyState title={`Player ${playerId} isn’t known to Sharebook`}>
        Invo finds players by email only. Search for the player’s email or for one of their subscription IDs, then open this page again.
      </EmptyState>
    );
  if (player.kind === 'no_email')
    return (
      <Notice voice="wait" title="No email is known for this player">
        Invo finds players by email only. Search for the player’s email or open one of their subscriptions, then open this page again.
      </Notice>
    );
  if (player.kind === 'other_player')
    return (
      <Notice voice="bad" title="The stored email now belongs to another player">
        Invo’s answer isn’t shown because it is about{' '}
        <Link href={`/${game.slug}/players/${player.playerId}`}>player {player.playerId}</Link>. Search for this player’s new email.
      </Notice>
    );
  const others = (await listGames())
    .filter(({ slug }) => slug !== game.slug)
    .map((other) => ({ slug: other.slug, label: formatGameName(other) }));
  const isOffered = canSeeEmails && player.stored.email !== null && others.length > 0;
  return (
    <Notice
      voice="wait"
      title="Invo has no player with this email"
      actions={isOffered ? <SearchElsewhere others={others} text={player.stored.email ?? ''} /> : undefined}
    >
      In {formatGameName(game)}, no wallet and no subscriptions exist for this email. The player may have changed it.
    </Notice>
  );
}
