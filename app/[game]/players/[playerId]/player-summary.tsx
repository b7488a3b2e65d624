import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Game, listGames } from '#app/_server/game.ts';
import { SearchElsewhere } from '#app/_shell/search/search-provider.tsx';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatGameName } from '#app/[game]/_subscriptions/format-names.ts';
import { InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { maskEmail } from '#lib/core/roles.ts';
import type { PlayerDetail } from '#lib/players/read-player-detail.ts';

interface WhoCardProps {
  slug: string;
  player: Exclude<PlayerDetail, { kind: 'unknown' }>;
  canSeeEmails: boolean;
  timeZone: string;
}

/** Who the player is: name, e-mail as far as the role may see it, the id across games, and the way to what they earn. */
export function WhoCard({ slug, player, canSeeEmails, timeZone }: WhoCardProps): ReactElement {
  const { held } = player;
  const told = player.kind === 'player' && 'value' in player.balances ? player.balances.value.player : null;
  const name = told?.player_name ?? held.name;
  const email = told?.player_email ?? held.email;
  const identityId = told?.identity_id ?? held.identityId;
  return (
    <Card isAnswer title="Who">
      <p className={detail.answer}>
        <bdi>{name === null || name.trim() === '' ? `Player ${held.playerId}` : showControls(name)}</bdi>
      </p>
      <div className={detail.facts}>
        <InvoFacts
          facts={[
            {
              label: 'E-mail, a contact and no key',
              value: email && <bdi>{canSeeEmails ? showControls(email) : maskEmail(email)}</bdi>,
              field: 'player.player_email',
              isWide: true,
              ...(canSeeEmails ? {} : { note: 'masked for your role' }),
            },
            { label: 'Player', value: <CopyButton text={String(held.playerId)} what="player id" />, field: 'player.player_id' },
            {
              label: 'Identity across games',
              value: identityId && <CopyButton text={identityId} what="identity id" />,
              field: 'player.identity_id',
            },
            {
              label: 'Joined',
              value: told?.date_joined ? <Instant at={told.date_joined} timeZone={timeZone} /> : null,
              field: 'player.date_joined',
            },
          ]}
        />
      </div>
      {held.isRecipient && (
        <div className={detail.facts}>
          <LinkButton href={`/${slug}/recipients/${held.playerId}`}>What they earn as a recipient</LinkButton>
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
    .map((other) => ({ slug: other.slug, label: formatGameName(other) }));
  const isOffered = canSeeEmails && player.held.email !== null && others.length > 0;
  return (
    <Notice
      voice="wait"
      title="Invo knows no such player"
      actions={isOffered ? <SearchElsewhere others={others} text={player.held.email ?? ''} /> : undefined}
    >
      No player of this e-mail exists in {formatGameName(game)}: no wallet was ever seen and there are no subscriptions. The e-mail may have
      changed since it was held.
    </Notice>
  );
}
