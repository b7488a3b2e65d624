import { formatInstant } from '../instant.ts';
import type { Subscription } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import type { Book } from '../report/book.ts';
import type { Json } from './json.ts';
import { isSettled } from './renewal-line.ts';
import { LIVE_STATUSES, paidThrough, subscriptionStatus } from './subscription-status.ts';

/** The contract shows that there are six fields, null until supplied, and not their names: these are ours. */
const CONSENT = { accepted_at: null, accepted_from: null, channel: null, locale: null, text_version: null, reference: null };

/** The subscription in the contract's words, with the player block when asked. */
export function subscriptionObject(book: Book, subscription: Subscription, includesPlayer: boolean): Json {
  const cycles = book.cyclesOf(subscription);
  const newest = cycles[0];
  const status = subscriptionStatus(book, subscription);
  const isLive = LIVE_STATUSES.includes(status);
  const settled = cycles.filter((period) => isSettled(book, period));
  const through = paidThrough(book, cycles);
  const ended = subscription.ends !== null && !isLive ? formatInstant(subscription.ends.atMs) : null;
  return {
    subscription_id: subscription.id,
    game_id: book.world.gameId,
    player_id: subscription.player.playerId,
    client_request_id: `create-${subscription.id.toLowerCase()}`,
    status,
    amount_usd: formatUsd(newest?.amount ?? subscription.amount),
    pending_amount_usd: null,
    interval: 'month',
    interval_count: subscription.intervalCount,
    item_id: subscription.itemId,
    item_name: subscription.itemName,
    current_period_start: formatInstant(newest?.startMs ?? subscription.createdMs),
    current_period_end: formatInstant(newest?.endMs ?? subscription.createdMs),
    period_seq: Math.max(1, ...settled.map(({ seq }) => seq)),
    next_charge_at: isLive && status !== 'pending_pcstore_authorization' ? formatInstant(newest?.endMs ?? subscription.createdMs) : null,
    cancel_at_period_end: isLive && subscription.ends?.status === 'canceled' && subscription.ends.atMs <= (newest?.endMs ?? 0),
    trial_end: null,
    canceled_at: status === 'canceled' ? ended : null,
    ended_at: ended,
    wallet_only: subscription.walletOnly,
    has_payment_method: subscription.rail === 'card' && !subscription.walletOnly,
    funding_rail: subscription.rail,
    pcstore_agreement_status: subscription.rail === 'card' ? null : isLive ? 'active' : 'canceled',
    metadata: null,
    consent: CONSENT,
    created_at: formatInstant(subscription.createdMs),
    updated_at: formatInstant(settled[0]?.paidMs ?? subscription.createdMs),
    revenue_share: shareObject(book, subscription),
    paid_through: through === null ? null : formatInstant(through),
    ...(includesPlayer ? { player: playerObject(subscription) } : {}),
  };
}

function shareObject(book: Book, subscription: Subscription): Json | null {
  const rate = subscription.share?.rates.findLast(({ fromMs }) => fromMs <= book.nowMs) ?? subscription.share?.rates[0];
  if (subscription.share === null || rate === undefined) return null;
  return { recipient_player_id: subscription.share.recipientId, percent: formatPercent(rate.percentBp), settled_by_invo: false };
}

function playerObject(subscription: Subscription): Json {
  const { playerId, name, email, identityId } = subscription.player;
  return { player_id: playerId, player_name: name, player_email: email, identity_id: identityId };
}
