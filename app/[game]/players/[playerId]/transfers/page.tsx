import { type ReactElement, Suspense } from 'react';
import { openLookUp } from '#app/_server/game.ts';
import styles from '#app/[game]/_desk/desk.module.css';
import { InboundRows, KnownTransfers } from '#app/[game]/_desk/transfer-tables.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadLine, ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { findPlayerTransfers } from '#lib/transfers/find-player-transfers.ts';
import { isForIdentity, readInboundPending } from '#lib/transfers/read-transfer.ts';
import { formatPlayerTransfers, TRANSFERS_KNOWN } from '#lib/transfers/text.ts';
import { findShownPlayer, type OpenTab, openTab, type PlayerParams } from '../player-tab.tsx';

/** What waits for a player, and their transfers that a read or a webhook named; Invo lists no transfers of a player. */
export default async function TransfersPage({ params }: PlayerParams): Promise<ReactElement> {
  const tab = await openTab({ params });
  const { game, playerId } = tab;
  const identityId = (await findShownPlayer(tab))?.stored.identityId ?? null;
  const { read, named, receivedIds } = await findPlayerTransfers(openLookUp(game, tab.person).game, { playerId, identityId });
  return (
    <div className={detail.page}>
      {identityId !== null && (
        <section className={styles.part}>
          <h2>Waiting to be collected by this player</h2>
          <Suspense fallback={<LoadingFromInvo />}>
            <Waiting tab={tab} identityId={identityId} received={receivedIds} />
          </Suspense>
        </section>
      )}
      <section className={styles.part}>
        <h2>Transfers known to Sharebook</h2>
        <p className={detail.quiet}>
          {TRANSFERS_KNOWN} {formatPlayerTransfers(identityId !== null)}
        </p>
        <KnownTransfers slug={game.slug} read={read} named={named} />
      </section>
    </div>
  );
}

/** What Invo lists as waiting for this player: rows that name their identity, and those whose transfer was read and names it. */
async function Waiting({
  tab: { game, person },
  identityId,
  received,
}: {
  tab: OpenTab;
  identityId: string;
  received: ReadonlySet<string>;
}): Promise<ReactElement> {
  const list = await readInboundPending(openLookUp(game, person));
  if (list.kind === 'nothing') return <ReadNotice detail={list} what="pending transfers" isUnstored />;
  const rows = list.value.rows?.filter(
    (row) => isForIdentity(row, identityId) || (row.transactionId !== null && received.has(row.transactionId)),
  );
  return (
    <div className={styles.part}>
      <ReadLine detail={list} timeZone={game.timeZone} note="This list isn’t stored." />
      {rows === undefined ? (
        <p className={detail.quiet}>Sharebook doesn’t recognize Invo’s list of pending transfers. The Transfers page shows the response.</p>
      ) : (
        <InboundRows slug={game.slug} rows={rows} empty="No pending transfer is known to name this player." />
      )}
    </div>
  );
}
