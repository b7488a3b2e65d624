import { isSettled, periodStatus } from '../evidence/lines.ts';
import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Period, Player, Subscription } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import type { Json } from '../wire/answer.ts';
import { readEmail, readFlag, readPaging, readQuery, readStatuses } from '../wire/read-request.ts';

export const subscriptionRoute: Route = {
  name: 'subscription',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/([^/]+)$/,
  credential: 'secret',
  meter: 'none',
  answer(call): Json {
    const query = readQuery(call.search, ['include_player']);
    const subscription = findSubscription(call.view, call.params[0], 'INVALID_FIELD_VALUE');
    return { status: 'success', subscription: subscriptionObject(call.view, subscription, readFlag(query, 'include_player')) };
  },
};

export const playerSubscriptionsRoute: Route = {
  name: 'player-subscriptions',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/player$/,
  credential: 'secret',
  meter: 'none',
  answer: answerPlayerSubscriptions,
};

function answerPlayerSubscriptions(call: Call): Json {
  const { view } = call;
  const query = readQuery(call.search, ['player_email', 'status', 'include_player', 'limit', 'offset']);
  const email = readEmail(query);
  const statuses = readStatuses(query, SUBSCRIPTION_STATUSES, { live: LIVE_STATUSES });
  const includesPlayer = readFlag(query, 'include_player');
  const { limit, offset } = readPaging(query, 'refuse');
  const held = view.world
    .subscriptionsOf(email.toLowerCase())
    .filter(
      (subscription) => subscription.createdMs <= view.nowMs && (statuses === null || statuses.has(subscriptionStatus(view, subscription))),
    )
    .sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
  return {
    status: 'success',
    player_email: email,
    subscriptions: held.slice(offset, offset + limit).map((subscription) => subscriptionObject(view, subscription, includesPlayer)),
    pagination: { total_count: held.length, limit, offset, has_more: offset + limit < held.length },
  };
}

/** The contract has six fields, null until given, and doesn't name them: these names are ours. */
const CONSENT = { accepted_at: null, accepted_from: null, channel: null, locale: null, text_version: null, reference: null };

/** The subscription object of the contract, with the player block if requested. */
export function subscriptionObject(view: GameView, held: Subscription, includesPlayer: boolean): Json {
  const subscription = view.current(held);
  const periods = view.periodsOf(subscription);
  const newest = periods[0];
  const status = subscriptionStatus(view, subscription);
  const isLive = LIVE_STATUSES.includes(status);
  const settled = periods.filter((period) => isSettled(view, period));
  const through = paidThrough(view, periods);
  const ended = subscription.ends !== null && !isLive ? formatInstant(subscription.ends.atMs) : null;
  const staged = view.stagedPrice(subscription);
  return {
    subscription_id: subscription.id,
    game_id: view.world.gameId,
    player_id: subscription.player.playerId,
    client_request_id: `create-${subscription.id.toLowerCase()}`,
    status,
    amount_usd: formatUsd(newest?.amount ?? subscription.amount),
    pending_amount_usd: staged === null ? null : formatUsd(staged),
    interval: 'month',
    interval_count: subscription.intervalCount,
    item_id: subscription.itemId,
    item_name: subscription.itemName,
    current_period_start: formatInstant(newest?.startMs ?? subscription.createdMs),
    current_period_end: formatInstant(newest?.endMs ?? subscription.createdMs),
    period_seq: Math.max(1, ...settled.map(({ seq }) => seq)),
    next_charge_at: isLive ? nextTouch(view, subscription, newest) : null,
    cancel_at_period_end: isLive && isEndingWithPeriod(subscription, newest),
    trial_end: null,
    canceled_at: subscription.canceledMs !== undefined ? formatInstant(subscription.canceledMs) : status === 'canceled' ? ended : null,
    ended_at: ended,
    wallet_only: subscription.walletOnly,
    has_payment_method: subscription.rail === 'card' && !subscription.walletOnly,
    funding_rail: subscription.rail,
    pcstore_agreement_status: agreementStatus(subscription, status),
    metadata: subscription.metadata ?? null,
    consent: CONSENT,
    created_at: formatInstant(subscription.createdMs),
    updated_at: formatInstant(subscription.canceledMs ?? settled[0]?.paidMs ?? subscription.createdMs),
    revenue_share: shareObject(view, subscription),
    paid_through: through === null ? null : formatInstant(through),
    ...(includesPlayer ? { player: playerObject(subscription.player) } : {}),
  };
}

/** The identity fields of a player. */
export function playerObject({ playerId, name, email, identityId }: Player): Json {
  return { player_id: playerId, player_name: name, player_email: email, identity_id: identityId };
}

/** The state of a store agreement; null for a card subscription. */
export function agreementStatus(subscription: Subscription, status: string): string | null {
  if (subscription.rail === 'card') return null;
  if (status === 'pending_pcstore_authorization') return 'pending';
  return LIVE_STATUSES.includes(status) && subscription.canceledMs === undefined ? 'active' : 'canceled';
}

function nextTouch(view: GameView, subscription: Subscription, newest: Period | undefined): string | null {
  const status = subscriptionStatus(view, subscription);
  if (status === 'pending_pcstore_authorization') return null;
  const { liveStatus } = subscription;
  if (liveStatus?.status === status) {
    const nextMs = liveStatus.nextAttemptMs(view.nowMs);
    return nextMs === null ? null : formatInstant(nextMs);
  }
  const retryMs = status === 'retrying' ? newest?.paidMs : null;
  return formatInstant(retryMs ?? newest?.endMs ?? subscription.createdMs);
}

function isEndingWithPeriod({ ends }: Subscription, newest: Period | undefined): boolean {
  return ends?.status === 'canceled' && ends.atMs <= (newest?.endMs ?? Number.NEGATIVE_INFINITY);
}

function shareObject(view: GameView, subscription: Subscription): Json | null {
  const rate = subscription.share?.rates.findLast(({ fromMs }) => fromMs <= view.nowMs) ?? subscription.share?.rates[0];
  if (subscription.share === null || rate === undefined) return null;
  return { recipient_player_id: subscription.share.recipientId, percent: formatPercent(rate.percentBp), settled_by_invo: false };
}

/** The four statuses that `live` means. The contract names two of them; `retrying` and the whole set are ours. */
export const LIVE_STATUSES = ['active', 'retrying', 'awaiting_authentication', 'pending_pcstore_authorization'];
const SUBSCRIPTION_STATUSES = [...LIVE_STATUSES, 'canceled', 'expired'];

/** The status of a subscription now. */
export function subscriptionStatus(view: GameView, held: Subscription): string {
  const subscription = view.current(held);
  if (subscription.ends !== null && subscription.ends.atMs <= view.nowMs) return subscription.ends.status;
  if (subscription.liveStatus !== undefined && subscription.liveStatus.fromMs <= view.nowMs) return subscription.liveStatus.status;
  const newest = view.periodsOf(subscription)[0];
  if (newest === undefined) return subscription.rail === 'pcstore' ? 'pending_pcstore_authorization' : 'awaiting_authentication';
  return periodStatus(view, newest) === 'pending' ? 'retrying' : 'active';
}

/** Access until: the end of the latest paid period that was not fully refunded. Null before the first payment. */
export function paidThrough(view: GameView, periods: Period[]): number | null {
  const paid = periods.filter((period) => isSettled(view, period) && periodStatus(view, period) === 'paid');
  return paid.length === 0 ? null : Math.max(...paid.map(({ endMs }) => endMs));
}
