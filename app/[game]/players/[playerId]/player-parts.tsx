import Link from 'next/link';
import type { ReactElement } from 'react';
import { db } from '#app/_server/server-context.ts';
import { countNoun, formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import styles from '#app/[game]/_desk/glance.module.css';
import { LoyaltyGlance } from '#app/[game]/_desk/loyalty-glance.tsx';
import { KnownTransfers } from '#app/[game]/_desk/transfer-tables.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { ORDERS_KNOWN } from '#lib/orders/text.ts';
import { readPlayerLoyalty } from '#lib/players/read-player.ts';
import { listPlayerRecords } from '#lib/players/reads.ts';
import { isEnded } from '#lib/refunds/rules/state.ts';
import { refundStatusText } from '#lib/refunds/text.ts';
import { findPlayerTransfers } from '#lib/transfers/find-player-transfers.ts';
import { TRANSFERS_KNOWN } from '#lib/transfers/text.ts';
import { drawBilling } from './billing-part.tsx';
import { KnownOrders } from './orders/known-orders.tsx';
import { type OpenParts, PartCard, type PartName } from './part-card.tsx';
import { findShownPlayer } from './player-tab.tsx';
import { PlayerWallet } from './player-wallet.tsx';

const DRAWN: Record<PartName, (parts: OpenParts) => Promise<ReactElement>> = {
  wallet: drawWallet,
  refunds: drawRefunds,
  loyalty: drawLoyalty,
  billing: drawBilling,
  orders: drawOrders,
  transfers: drawTransfers,
};

/** Draws one part. */
export async function drawPart(name: PartName, parts: OpenParts): Promise<ReactElement> {
  return await DRAWN[name](parts);
}

/** The wallet: the three figures Invo reports per currency, side by side and never added. */
async function drawWallet({ game, ...parts }: OpenParts): Promise<ReactElement> {
  const player = await parts.player();
  if (player.kind !== 'player')
    return (
      <PartCard title="Wallet" timeZone={game.timeZone}>
        <p className={detail.quiet}>Not read.</p>
      </PartCard>
    );
  const { balances } = player;
  const updatedAt = 'value' in balances ? balances.value.last_updated : null;
  return (
    <PartCard title="Wallet" read={balances} timeZone={game.timeZone}>
      <ReadNotice detail={balances} what="the wallet" />
      <FieldNames>
        <PlayerWallet balances={balances} />
        <p className={styles.read}>
          Available can be spent or sent. Reserved belongs to transfers that aren’t collected yet. Currencies are never added up.
          {updatedAt !== null && (
            <>
              {' Last updated by Invo at '}
              <Instant at={updatedAt} timeZone={game.timeZone} precision="second" />.
            </>
          )}
        </p>
      </FieldNames>
    </PartCard>
  );
}

const REFUNDS_SHOWN = 5;

/** The refunds requested here for this player, those in progress first. */
async function drawRefunds({ game, playerId }: OpenParts): Promise<ReactElement> {
  const { refunds } = await listPlayerRecords(db(), game.gameId, playerId);
  const inProgress = refunds.filter(({ state }) => !isEnded(state));
  const shown = [...inProgress, ...refunds.filter(({ state }) => isEnded(state))].slice(0, Math.max(REFUNDS_SHOWN, inProgress.length));
  const href = `/${game.slug}/players/${playerId}/subscriptions`;
  return (
    <PartCard
      title="Refunds in Sharebook"
      timeZone={game.timeZone}
      {...(shown.length < refunds.length ? { more: { href, word: 'View all refunds of this player' } } : {})}
    >
      <p className={detail.quiet}>
        {inProgress.length === 0 ? 'None in progress.' : `${countNoun(inProgress.length, 'refund')} in progress.`} Refunds made in Invo’s
        console aren’t listed here.
      </p>
      {shown.length > 0 && (
        <ul className={styles.list}>
          {shown.map((refund) => {
            const { label, tone } = refundStatusText(refund);
            return (
              <li key={refund.refundId}>
                <span className={styles.line}>
                  <Link href={`/${game.slug}/refunds/${refund.refundId}`}>
                    Refund {refund.refundId}, {formatUsd(refund.amount_usd)}
                  </Link>
                  <Status tone={tone} word={label} />
                </span>
                <span className={detail.under}>
                  <Link href={`/${game.slug}/periods/${refund.period_id}`}>Period {refund.period_seq}</Link>, requested{' '}
                  {formatUtc(refund.requestedAt)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </PartCard>
  );
}

/** The loyalty programs with their states as reported; they are stored nowhere. */
async function drawLoyalty({ game, playerId, context, ...parts }: OpenParts): Promise<ReactElement> {
  const player = await parts.player();
  const read = player.kind === 'player' ? await readPlayerLoyalty(context, player) : null;
  return (
    <PartCard
      title="Loyalty"
      timeZone={game.timeZone}
      more={{ href: `/${game.slug}/players/${playerId}/loyalty`, word: 'View loyalty' }}
      {...(read?.kind === 'live' ? { read, note: 'Loyalty data isn’t stored.' } : {})}
    >
      {read === null ? <p className={detail.quiet}>Not read.</p> : <LoyaltyGlance read={read} timeZone={game.timeZone} />}
    </PartCard>
  );
}

const RECORDS_SHOWN = 5;

/** The newest orders that Sharebook knows of the player, without those of renewals, which are charges above; nothing here calls Invo. */
async function drawOrders({ game, playerId, ...parts }: OpenParts): Promise<ReactElement> {
  const orders = await parts.orders();
  return (
    <PartCard
      title="Orders"
      timeZone={game.timeZone}
      note={`${ORDERS_KNOWN} Orders of renewals are under Charges.`}
      more={{ href: `/${game.slug}/players/${playerId}/orders`, word: 'View all orders and item purchases' }}
    >
      <KnownOrders slug={game.slug} orders={{ ...orders, minted: [] }} most={RECORDS_SHOWN} isInset />
    </PartCard>
  );
}

/** The transfers of the player that Sharebook knows; nothing here calls Invo. */
async function drawTransfers(parts: OpenParts): Promise<ReactElement> {
  const { game, playerId, context } = parts;
  const identityId = (await findShownPlayer(parts))?.stored.identityId ?? null;
  const { read, named } = await findPlayerTransfers(context.game, { playerId, identityId });
  return (
    <PartCard
      title="Transfers"
      timeZone={game.timeZone}
      note={TRANSFERS_KNOWN}
      more={{ href: `/${game.slug}/players/${playerId}/transfers`, word: 'View transfers and what waits to be collected' }}
    >
      <KnownTransfers slug={game.slug} read={read} named={named} most={RECORDS_SHOWN} isInset />
    </PartCard>
  );
}
