import { clsx } from 'clsx';
import { type ReactElement, Suspense } from 'react';
import { Arriving } from '#app/_ui/layout/arriving.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import styles from '#app/[game]/_desk/glance.module.css';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { readPartAction } from './actions.ts';
import { type OpenParts, openParts, type PartName } from './part-card.tsx';
import { PlayerPart } from './player-part.tsx';
import { drawPart } from './player-parts.tsx';
import { openTab, PlayerNotice, type PlayerParams } from './player-tab.tsx';

/** What support needs of a player without a click. Each part loads, fails and is read again by itself; the tabs have more. */
export default async function PlayerPage({ params }: PlayerParams): Promise<ReactElement> {
  const parts = openParts(await openTab({ params }));
  return (
    <div className={detail.page}>
      <Suspense fallback={null}>
        <WhyNothing parts={parts} />
      </Suspense>
      <div className={styles.glance}>
        <div className={styles.column}>
          <Part name="wallet" title="Wallet" parts={parts} />
          <Part name="refunds" title="Refunds in Sharebook" parts={parts} />
        </div>
        <div className={clsx(styles.column, styles.main)}>
          <Part name="billing" title="Charges" parts={parts} />
          <Part name="orders" title="Orders" parts={parts} />
          <Part name="transfers" title="Transfers" parts={parts} />
        </div>
        <div className={styles.column}>
          <Part name="loyalty" title="Loyalty" parts={parts} />
        </div>
      </div>
    </div>
  );
}

/** Why the page shows no answer of Invo about the player; nothing when it does. */
async function WhyNothing({ parts }: { parts: OpenParts }): Promise<ReactElement | null> {
  const player = await parts.player();
  return player.kind === 'player' ? null : <PlayerNotice tab={parts} player={player} />;
}

interface PartProps {
  name: PartName;
  title: string;
  parts: OpenParts;
}

const NAMES: Record<PartName, string> = {
  wallet: 'the wallet',
  refunds: 'the refunds',
  loyalty: 'loyalty',
  billing: 'charges and subscriptions',
  orders: 'the orders',
  transfers: 'the transfers',
};

function Part({ name, title, parts }: PartProps): ReactElement {
  return (
    <PlayerPart name={NAMES[name]} title={title} read={readPartAction.bind(null, parts.game.slug, String(parts.playerId), name)}>
      <Arriving
        content={drawPart(name, parts)}
        fallback={
          <Card title={title}>
            <p className={detail.quiet} role="status">
              Loading…
            </p>
          </Card>
        }
      />
    </PlayerPart>
  );
}
