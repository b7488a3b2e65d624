import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { readPlayer } from '#lib/players/read-player.ts';
import { type OpenTab, openTab, type PlayerParams } from './open-tab.ts';
import { PlayerNotice } from './player-notice.tsx';
import { PlayerWallet } from './player-wallet.tsx';

export default async function WalletPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <Wallet {...tab} />
    </Suspense>
  );
}

/** The wallet: the three figures Invo reports per currency, side by side and never added. */
async function Wallet({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const player = await readPlayer(openLookUp(game, person), playerId);
  if (player.kind !== 'player')
    return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={person.may('emails.read')} />;
  const { balances } = player;
  const updatedAt = 'value' in balances ? balances.value.last_updated : null;
  return (
    <>
      <ReadNotices together="this player" reads={[{ detail: balances, what: 'the wallet' }]} />
      <FieldNames>
        <div className={detail.page}>
          <ReadLine detail={balances} timeZone={game.timeZone} />
          <PlayerWallet balances={balances} />
          <p className={detail.quiet}>
            Available can be spent or sent. Reserved belongs to transfers that aren’t collected yet. Currencies are never added up.
            {updatedAt !== null && (
              <>
                {' Last updated by Invo at '}
                <Instant at={updatedAt} timeZone={game.timeZone} precision="second" />.
              </>
            )}
          </p>
        </div>
      </FieldNames>
    </>
  );
}
