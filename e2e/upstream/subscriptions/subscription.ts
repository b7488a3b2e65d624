import { cycleStatus, isSettled } from '../evidence/lines.ts';
import type { Book } from '../game-view.ts';
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
  meter: 'none',
  answer(call): Json {
    const query = readQuery(call.search, ['include_player']);
    const subscription = findSubscription(call.book, call.params[0], 'INVALID_FIELD_VALUE');
    return { status: 'success', subscription: subscriptionObject(call.book, subscription, readFlag(query, 'include_player')) };
  },
};

export const playerSubscriptionsRoute: Route = {
  name: 'player-subscriptions',
  method: 'GET',
  pattern: /^\/api\/subscriptions\/player$/,
  meter: 'none',
  answer: answerPlayerSubscriptions,
};

function answerPlayerSubscriptions(call: Call): Json {
  const { book } = call;
  const query = readQuery(call.search, ['player_email', 'status', 'include_player', 'limit', 'offset']);
  const email = readEmail(query);
  const statuses = readStatuses(query, SUBSCRIPTION_STATUSES, { live: LIVE_STATUSES });
  const includesPlayer = readFlag(query, 'include_player');
  const { limit, offset } = readPaging(query, 'refuse');
  const held = book.world
    .subscriptionsOf(email.toLowerCase())
    .filter(
      (subscription) => subscription.createdMs <= book.nowMs && (statuses === null || statuses.has(subscriptionStatus(book, subscription))),
    )
    .sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1));
  return {
    status: 'success',
    player_email: email,
    subscriptions: held.slice(offset, offset + limit).map((subscription) => subscriptionObject(book, subscription, includesPlayer)),
    pagination: { total_count: held.length, limit, offset, has_more: offset + limit < held.length },
  };
}

/** The contract shows that there are six fields, null until supplied, and not their names: these are ours. */
const CONSENT = { accepted_at: null, accepted_from: null, channel: null, locale: null, text_version: null, reference: null };

/** The subscription in the contract's words, with the player block when asked. */
export function subscriptionObject(book: Book, held: Subscription, includesPlayer: boolean): Json {
  const subscription = book.current(held);
  const cycles = book.cyclesOf(subscription);
  const newest = cycles[0];
  const status = subscriptionStatus(book, subscription);
  const isLive = LIVE_STATUSES.includes(status);
  const settled = cycles.filter((period) => isSettled(book, period));
  const through = paidThrough(book, cycles);
  const ended = subscription.ends !== null && !isLive ? formatInstant(subscription.ends.atMs) : null;
  const staged = book.stagedPrice(subscription);
  return {
    subscription_id: subscription.id,
    game_id: book.world.gameId,
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
    next_charge_at: isLive ? nextTouch(book, subscription, newest) : null,
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
    revenue_share: shareObject(book, subscription),
    paid_through: through === null ? null : formatInstant(through),
    ...(includesPlayer ? { player: playerObject(subscription.player) } : {}),
  };
}

/** The identity fields of a player. */
export function playerObject({ playerId, name, email, identityId }: Player): Json {
  return { player_id: playerId, player_name: name, player_email: email, identity_id: identityId };
}

/** The state of a store agreement; null on a card subscription. */
export function agreementStatus(subscription: Subscription, status: string): string | null {
  if (subscription.rail === 'card') return null;
  if (status === 'pending_pcstore_authorization') return 'pending';
  return LIVE_STATUSES.includes(status) && subscription.canceledMs === undefined ? 'active' : 'canceled';
}

function nextTouch(book: Book, subscription: Subscription, newest: Period | undefined): string | null {
  const status = subscriptionStatus(book, subscription);
  if (status === 'pending_pcstore_authorization') return null;
  const { standing } = subscription;
  if (standing?.status === status) {
    const nextMs = standing.nextTouchMs(book.nowMs);
    return nextMs === null ? null : formatInstant(nextMs);
  }
  const retryMs = status === 'retrying' ? newest?.paidMs : null;
  return formatInstant(retryMs ?? newest?.endMs ?? subscription.createdMs);
}

function isEndingWithPeriod({ ends }: Subscription, newest: Period | undefined): boolean {
  return ends?.status === 'canceled' && ends.atMs <= (newest?.endMs ?? Number.NEGATIVE_INFINITY);
}

function shareObject(book: Book, subscription: Subscription): Json | null {
  const rate = subscription.share?.rates.findLast(({ fromMs }) => fromMs <= book.nowMs) ?? subscription.share?.rates[0];
  if (subscription.share === null || rate === undefined) return null;
  return { recipient_player_id: subscription.share.recipientId, percent: formatPercent(rate.percentBp), settled_by_invo: false };
}

/** The four the word `live` stands for; the contract names two of the four words, `retrying` and the whole set are ours. */
export const LIVE_STATUSES = ['active', 'retrying', 'awaiting_authentication', 'pending_pcstore_authorization'];
export const SUBSCRIPTION_STATUSES = [...LIVE_STATUSES, 'canceled', 'expired'];

/** Where a subscription stands now. */
export function subscriptionStatus(book: Book, held: Subscription): string {
  const subscription = book.current(held);
  if (subscription.ends !== null && subscription.ends.atMs <= book.nowMs) return subscription.ends.status;
  if (subscription.standing !== undefined && subscription.standing.fromMs <= book.nowMs) return subscription.standing.status;
  const newest = book.cyclesOf(subscription)[0];
  if (newest === undefined) return subscription.rail === 'pcstore' ? 'pending_pcstore_authorization' : 'awaiting_authentication';
  return cycleStatus(book, newest) === 'pending' ? 'retrying' : 'active';
}

/** Until when the player may use what was sold: the end of the latest paid cycle that was not wholly refunded; null before anything was paid. */
export function paidThrough(book: Book, cycles: Period[]): number | null {
  const kept = cycles.filter((period) => isSettled(book, period) && cycleStatus(book, period) === 'paid');
  return kept.length === 0 ? null : Math.max(...kept.map(({ endMs }) => endMs));
}
