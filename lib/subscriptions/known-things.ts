import type { KnownThings } from '#db/subscriptions/writes/details.ts';
import type { PeriodReport } from '../invo/routes/period-report.ts';
import type { SubscriptionAttribution } from '../invo/routes/subscription-report.ts';
import type { Player, Subscription } from '../invo/routes/support-reads.ts';
import type { Cycle } from '../invo/shapes/lines.ts';

/** The ids a period's own report names: its transactions, its order, its subscription and its recipient. */
export function knownOfPeriod({ period, refunds, subscription }: PeriodReport): KnownThings {
  const { subscription_id, period_id } = period;
  const refundIds = (refunds?.events ?? []).flatMap(({ refund_transaction_id: id_text }) =>
    id_text === null ? [] : [{ kind: 'transaction', id_text, subscription_id, period_id }],
  );
  return {
    players: recipientOf(period),
    subscriptions: [{ subscription_id, player_id: null, item_name: period.item_name, status: subscription?.status ?? null }],
    ids: [...idsOf(period), ...refundIds],
  };
}

/** The ids a page of a subscription's cycles names. */
export function knownOfCycles({ subscription, periods }: SubscriptionAttribution): KnownThings {
  const { subscription_id, item_name, status } = subscription;
  return {
    players: periods.flatMap(recipientOf),
    subscriptions: [{ subscription_id, player_id: null, item_name, status }],
    ids: periods.flatMap(idsOf),
  };
}

/** What a subscription as it stands names: who holds it, and the key it was made with. */
export function knownOfSubscription(subscription: Subscription, player: Player | null): KnownThings {
  const { subscription_id, player_id, item_name, status, client_request_id: id_text } = subscription;
  return {
    players: player === null ? [] : knownPlayer(player, player.player_email),
    subscriptions: [{ subscription_id, player_id, item_name, status }],
    ids: id_text === null || id_text === '' ? [] : [{ kind: 'client_request', id_text, subscription_id, period_id: 0 }],
  };
}

/** A player as Invo named them, under the e-mail it knows them by; nothing without one. */
export function knownPlayer(
  { player_id, player_name, identity_id }: Pick<Player, 'player_id' | 'player_name' | 'identity_id'>,
  player_email: string | null,
): KnownThings['players'] {
  return player_email === null || player_email === '' ? [] : [{ player_id, player_email, player_name, identity_id }];
}

function idsOf({ transaction_id, mint_order_id, subscription_id, period_id }: Cycle): KnownThings['ids'] {
  return [
    ...(transaction_id === null ? [] : [{ kind: 'transaction', id_text: transaction_id, subscription_id, period_id }]),
    ...(mint_order_id === null ? [] : [{ kind: 'order', id_text: mint_order_id, subscription_id, period_id }]),
  ];
}

function recipientOf({ attribution }: Cycle): KnownThings['players'] {
  const recipient = attribution?.recipient ?? null;
  return recipient === null ? [] : knownPlayer(recipient, recipient.player_email);
}
