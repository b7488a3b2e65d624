import type { Json } from '../wire/json.ts';
import { readFlag, readPaging, readQuery, readStatuses } from '../wire/query.ts';
import { Refusal } from '../wire/refusal.ts';
import { subscriptionObject } from '../wire/subscription-object.ts';
import { LIVE_STATUSES, SUBSCRIPTION_STATUSES, subscriptionStatus } from '../wire/subscription-status.ts';
import { findSubscription } from './find-subscription.ts';
import type { Call, Route } from './route.ts';

const EMAIL_LENGTH_MAX = 254;

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
  const email = query.get('player_email')?.trim() ?? '';
  if (email === '') throw new Refusal(400, 'PLAYER_EMAIL_REQUIRED', 'player_email is required.');
  if (email.length > EMAIL_LENGTH_MAX)
    throw new Refusal(400, 'PLAYER_EMAIL_TOO_LONG', `player_email is at most ${EMAIL_LENGTH_MAX} characters.`);
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
