import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { AllFields, FirstOf, MoreRows, ROWS_SHOWN } from '#app/[game]/_desk/answer-tree.tsx';
import styles from '#app/[game]/_desk/desk.module.css';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { ReadLine, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listWithTimes } from '#lib/orders/read-order.ts';
import { listMintedOrders, listOrdersOfPlayer } from '#lib/orders/reads.ts';
import { ORDERS_KNOWN } from '#lib/orders/text.ts';
import { readPlayer, readPlayerItems } from '#lib/players/read-player.ts';
import { findStoredPlayer } from '#lib/players/reads.ts';
import { listSubjectsBeside } from '#lib/webhooks/reads/deliveries-about.ts';
import { type OpenTab, openTab, type PlayerParams } from '../open-tab.ts';
import { PlayerNotice } from '../player-notice.tsx';
import { ItemRows } from './item-rows.tsx';
import { KnownOrders } from './known-orders.tsx';

// Orders a page lists from webhooks at most.
const NAMED_MAX = 200;

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
        <Suspense fallback={<LoadingFromInvo />}>
          <Items {...tab} />
        </Suspense>
      </section>
    </div>
  );
}

/** Everything stored that names an order of this player; nothing here calls Invo. */
async function Known({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const stored = await findStoredPlayer(db(), game.gameId, playerId);
  const beside = [
    { kind: 'player' as const, idText: String(playerId) },
    ...(stored?.identityId ? [{ kind: 'identity' as const, idText: stored.identityId }] : []),
  ];
  const [read, minted, named] = await Promise.all([
    listOrdersOfPlayer(db(), game.gameId, playerId),
    listMintedOrders(db(), game.gameId, playerId),
    listSubjectsBeside(db(), game.gameId, 'order', beside, NAMED_MAX),
  ]);
  return <KnownOrders slug={game.slug} read={await listWithTimes(openLookUp(game, person), read)} minted={minted} named={named} />;
}

/** What the player bought for coins, as Invo lists it. */
async function Items({ game, person, playerId }: OpenTab): Promise<ReactElement> {
  const context = openLookUp(game, person);
  const player = await readPlayer(context, playerId);
  if (player.kind !== 'player')
    return <PlayerNotice player={player} game={game} playerId={playerId} canSeeEmails={person.may('emails.read')} />;
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
