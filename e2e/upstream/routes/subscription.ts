import type { Json } from '../wire/json.ts';
import { readEmail, readFlag, readPaging, readQuery, readStatuses } from '../wire/query.ts';
import { subscriptionObject } from '../wire/subscription-object.ts';
import { LIVE_STATUSES, SUBSCRIPTION_STATUSES, subscriptionStatus } from '../wire/subscription-status.ts';
import { findSubscription } from './find-subscription.ts';
import type { Call, Route } from './route.ts';

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
