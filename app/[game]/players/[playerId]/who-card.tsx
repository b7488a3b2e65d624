import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
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
