import Link from 'next/link';
import type { ReactElement } from 'react';
import type { PlayerDetail } from '../../../../lib/operations/look-up/read-player-detail.ts';
import { EmptyState } from '../../../_ui/words/empty-state.tsx';
import { Notice } from '../../../_ui/words/notice.tsx';

interface PlayerNoticeProps {
  player: Exclude<PlayerDetail, { kind: 'player' }>;
  slug: string;
  playerId: number;
}

/** Why Invo's answer about a player is not on the page, and what to do. */
export function PlayerNotice({ player, slug, playerId }: PlayerNoticeProps): ReactElement {
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
        <Link href={`/${slug}/players/${player.playerId}`}>player {player.playerId}</Link>. Look this player up by their new e-mail.
      </Notice>
    );
  return (
    <Notice voice="wait" title="Invo knows no such player">
      No player of this e-mail exists in this game and environment: no wallet was ever seen and there are no subscriptions. The e-mail may
      have changed since it was held.
    </Notice>
  );
}
