import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Subscription } from '../model.ts';
import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import { addCanceled } from '../webhooks/events.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readObject, readQuery, readReason } from '../wire/read-request.ts';
import { agreementStatus, LIVE_STATUSES, paidThrough, subscriptionObject, subscriptionStatus } from './subscription.ts';

export const cancelRoute: Route = {
  name: 'cancel',
  method: 'POST',
  pattern: /^\/api\/subscriptions\/([^/]+)\/cancel$/,
  credential: 'secret',
  meter: 'none',
  answer: answerCancel,
};

function answerCancel(call: Call): Json {
  const { view, support } = call;
  readQuery(call.search, []);
  const body = readObject(call.bytes, true);
  const asksAtPeriodEnd = readAtPeriodEnd(body);
  const reason = readReason(body);
  const subscription = findSubscription(view, call.params[0], 'INVALID_FIELD_VALUE');
  const status = subscriptionStatus(view, subscription);
  if (!LIVE_STATUSES.includes(status)) {
    call.outcome = 'already_canceled';
    return { ...outcome(view, subscription), already_canceled: true, final_status: status };
  }
  const through = paidThrough(view, view.periodsOf(subscription));
  const isPaidAhead = through !== null && through > view.nowMs;
  const isAtPeriodEnd = asksAtPeriodEnd && isPaidAhead;
  support.change(subscription.id, {
    ...support.changeOf(subscription.id),
    updatedMs: view.nowMs,
    cancel: { requestedMs: view.nowMs, endsMs: isAtPeriodEnd ? through : view.nowMs, reason },
  });
  call.outcome = isAtPeriodEnd ? 'canceled_at_period_end' : 'canceled';
  const downgrade = {
    terminated_immediately: true,
    downgrade_reason: 'NO_PAID_PERIOD',
    message: 'Nothing paid lies ahead, so the subscription ended at once.',
  };
  const canceled = outcome(view, subscription);
  addCanceled(call, { id: subscription.id, playerId: subscription.player.playerId }, canceled);
  return { ...canceled, already_canceled: false, ...(asksAtPeriodEnd && !isPaidAhead ? downgrade : {}) };
}

function outcome(view: GameView, held: Subscription): Json {
  const subscription = view.current(held);
  const periods = view.periodsOf(held);
  const through = paidThrough(view, periods);
  const shown = subscriptionObject(view, held, false);
  const endsMs = subscription.ends?.atMs ?? view.nowMs;
  return {
    status: 'success',
    cancel_at_period_end: shown['cancel_at_period_end'],
    effective_at: formatInstant(endsMs),
    current_period_end: formatInstant(periods[0]?.endMs ?? held.createdMs),
    access_until: formatInstant(Math.max(through ?? 0, Math.min(endsMs, view.nowMs))),
    paid_through: through === null ? null : formatInstant(through),
    ...(held.rail === 'card'
      ? {}
      : {
          pcstore_agreement_status: agreementStatus(subscription, subscriptionStatus(view, held)),
          pcstore_agreement_canceled: true,
        }),
    subscription: shown,
  };
}

function readAtPeriodEnd(body: Json): boolean {
  const value = body['at_period_end'] ?? '';
  if (value === '') return true;
  if (typeof value !== 'boolean') throw new Refusal(400, 'INVALID_FIELD_VALUE', 'at_period_end must be true or false.');
  return value;
}
