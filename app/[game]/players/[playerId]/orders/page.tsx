import type { ReactElement } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { AllFields, FirstOf, MoreRows, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { findPlayerOrders } from '#lib/orders/find-player-orders.ts';
import { ORDERS_KNOWN } from '#lib/orders/text.ts';
import { readPlayerItems } from '#lib/players/read-player.ts';
import { findShownPlayer, type OpenTab, openTab, type PlayerParams, PlayerTab, type ReadTab } from '../player-tab.tsx';
import { ItemRows } from './item-rows.tsx';
import { KnownOrders } from './known-orders.tsx';

export default async function OrdersPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  return (
    <div className={detail.page}>
      <section className={styles.part}>
        <h2>Orders known to Sharebook</h2>
        <p className={detail.quiet}>{ORDERS_KNOWN} Search for an order ID to open one that is missing.</p>
        <Known {...tab} />
      </section>
      <section className={styles.part}>
        <h2>Item purchases</h2>
        <PlayerTab tab={tab} body={showItems} />
      </section>
    </div>
  );
}

/** Everything stored that names an order of this player; nothing here calls Invo. */
async function Known(tab: OpenTab): Promise<ReactElement> {
  const { game, person, playerId } = tab;
  const identityId = (await findShownPlayer(tab))?.stored.identityId ?? null;
  const orders = await findPlayerOrders(openLookUp(game, person).game, { playerId, identityId });
  return <KnownOrders slug={game.slug} orders={orders} />;
}

/** What the player bought for coins, as Invo lists it. */
async function showItems({ game, context, player }: ReadTab): Promise<ReactElement> {
  const history = await readPlayerItems(context, player);
  return (
    <div className={styles.part}>
      <ReadNotices together="the item purchases" reads={[{ detail: history, what: 'the item purchases' }]} />
      <ReadLine detail={history} timeZone={game.timeZone} />
      {history.kind === 'not_found' && <p className={detail.quiet}>None. Invo has no item purchases for this player.</p>}
      {'value' in history && (
        <>
          <ItemRows rows={history.value.rows} slug={game.slug} />
          <FirstOf shown={ROWS_SHOWN} count={history.value.rows?.length ?? 0} noun="rows" />
          <MoreRows hasMore={history.value.hasMore} />
          <AllFields tree={history.value.tree} title="All fields of the response" />
        </>
      )}
    </div>
  );
}
