import type { ReactElement } from 'react';
import { db } from '#app/_server/wiring.ts';
import { KnownTransfers } from '#app/[game]/_desk/known-transfers.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { findStoredPlayer } from '#db/players/reads.ts';
import { listTransfersOf } from '#db/transfers/reads.ts';
import { listSubjectsBeside } from '#db/webhooks/reads/deliveries-about.ts';
import { TRANSFERS_KNOWN } from '#lib/transfers/text.ts';
import { openTab, type PlayerParams } from '../open-tab.ts';

// Transfers a page lists from webhooks at most.
const NAMED_MAX = 200;

/** The transfers of a player that webhooks named, in either direction; Invo has no list of them. */
export default async function TransfersPage({ params }: PlayerParams): Promise<ReactElement> {
  const { game, playerId } = await openTab({ params });
  const stored = await findStoredPlayer(db(), game.gameId, playerId);
  const beside = [
    { kind: 'player' as const, idText: String(playerId) },
    ...(stored?.identityId ? [{ kind: 'identity' as const, idText: stored.identityId }] : []),
  ];
  const named = await listSubjectsBeside(db(), game.gameId, 'transfer', beside, NAMED_MAX);
  const read = await listTransfersOf(
    db(),
    game.gameId,
    named.map(({ idText }) => idText),
  );
  return (
    <section className={detail.page}>
      <h2>Transfers known to Sharebook</h2>
      <p className={detail.quiet}>
        {TRANSFERS_KNOWN} A transfer’s status doesn’t name its player, so only those that a webhook names are listed here. Search for a
        transaction ID to open one that is missing.
      </p>
      <KnownTransfers slug={game.slug} read={read} named={named} />
    </section>
  );
}
