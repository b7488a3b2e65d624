import type { ReactElement } from 'react';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { readBilling } from '#lib/players/read-billing.ts';
import { subjectOf } from '#lib/players/read-player.ts';
import { ChargesCard } from './charges-card.tsx';
import { type OpenParts, PartCard } from './part-card.tsx';
import { findShownPlayer } from './player-tab.tsx';
import { SubscriptionsCard } from './subscriptions-card.tsx';

/** What the player was charged and what they subscribe to, from the same answers, so that the two agree. */
export async function drawBilling(parts: OpenParts): Promise<ReactElement> {
  const { game, playerId, context, options } = parts;
  const stored = (await findShownPlayer(parts))?.stored ?? null;
  const subject = stored === null ? null : subjectOf(stored);
  const [player, billing, orders] = await Promise.all([
    parts.player(),
    subject === null ? null : readBilling(context, subject, options),
    parts.orders(),
  ]);
  // What an email brings is shown once the wallet says whose email it is.
  if (player.kind !== 'player' || billing === null || billing.list.kind === 'other_player')
    return (
      <PartCard title="Charges" timeZone={game.timeZone}>
        <p className={detail.quiet}>Not read.</p>
      </PartCard>
    );
  const shared = { slug: game.slug, timeZone: game.timeZone, playerId, billing };
  return (
    <>
      <ChargesCard {...shared} orders={orders} isConfirmed={player.unconfirmed === null} />
      <SubscriptionsCard {...shared} wallet={player.balances.kind} />
    </>
  );
}
