import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { SearchElsewhere } from '#app/_shell/search/search-provider.tsx';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatEmail, formatGameName, formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { PlayerDetail } from '#lib/players/read-player-detail.ts';

interface PlayerCardProps {
  slug: string;
  player: Exclude<PlayerDetail, { kind: 'unknown' }>;
  canSeeEmails: boolean;
  timeZone: string;
}

/** The player: name, email as far as the role may see it, IDs, and a link to the recipient page. */
export function PlayerCard({ slug, player, canSeeEmails, timeZone }: PlayerCardProps): ReactElement {
  const { stored } = player;
  const reported = player.kind === 'player' && 'value' in player.balances ? player.balances.value.player : null;
  const name = reported?.player_name ?? stored.name;
  const email = reported?.player_email ?? stored.email;
  const identityId = reported?.identity_id ?? stored.identityId;
  return (
    <Card isAnswer title="Player">
      <p className={detail.answer}>
        <bdi>{formatPlayer(name, stored.playerId)}</bdi>
      </p>
      <div className={detail.facts}>
        <InvoFacts
          facts={[
            {
              label: 'Email',
              value: email && <bdi>{formatEmail(email, canSeeEmails)}</bdi>,
              field: 'player.player_email',
              isWide: true,
              ...(canSeeEmails ? {} : { note: 'masked for your role' }),
            },
            { label: 'Player ID', value: <CopyButton text={String(stored.playerId)} what="player ID" />, field: 'player.player_id' },
            {
              label: 'Identity ID',
              value: identityId && <CopyButton text={identityId} what="identity ID" />,
              field: 'player.identity_id',
            },
            {
              label: 'Joined',
              value: reported?.date_joined ? <Instant at={reported.date_joined} timeZone={timeZone} /> : null,
              field: 'player.date_joined',
            },
          ]}
        />
      </div>
      {stored.isRecipient && (
        <div className={detail.facts}>
          <LinkButton href={`/${slug}/recipients/${stored.playerId}`}>View recipient</LinkButton>
        </div>
      )}
    </Card>
  );
}

interface PlayerNoticeProps {
  player: Exclude<PlayerDetail, { kind: 'player' }>;
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
