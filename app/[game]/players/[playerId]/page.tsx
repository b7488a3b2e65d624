import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { openTab, type PlayerParams, PlayerTab, type ReadTab } from './player-tab.tsx';
import { PlayerWallet } from './player-wallet.tsx';

export default async function WalletPage({ params }: PlayerParams): Promise<ReactElement> {
  return <PlayerTab tab={await openTab({ params })} body={showWallet} />;
}

/** The wallet: the three figures Invo reports per currency, side by side and never added. */
function showWallet({ game, player: { balances } }: ReadTab): ReactElement {
  const updatedAt = 'value' in balances ? balances.value.last_updated : null;
  return (
    <>
      <ReadNotices together="this player" reads={[{ detail: balances, what: 'the wallet' }]} />
      <FieldNames>
        <div className={detail.page}>
          <ReadLine detail={balances} timeZone={game.timeZone} />
          <section aria-label="Wallet">
            <PlayerWallet balances={balances} />
          </section>
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
