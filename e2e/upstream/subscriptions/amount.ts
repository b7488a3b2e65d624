import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Subscription } from '../model.ts';
import { formatUsd, type Usd, usd } from '../money.ts';
import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readAmount, readObject, readQuery } from '../wire/read-request.ts';
import { LIVE_STATUSES, paidThrough, subscriptionObject, subscriptionStatus } from './subscription.ts';

const INCREASE_TO_MAX = usd('500.00');

export const amountRoute: Route = {
  name: 'amount',
  method: 'POST',
  pattern: /^\/api\/subscriptions\/([^/]+)\/amount$/,
  credential: 'secret',
  meter: 'none',
  answer: answerAmount,
};

function answerAmount(call: Call): Json {
  const { view, support } = call;
  readQuery(call.search, []);
  const body = readObject(call.bytes);
  const subscription = findSubscription(view, call.params[0], 'INVALID_FIELD_VALUE');
  const newest = view.periodsOf(subscription)[0];
  const current = newest?.amount ?? subscription.amount;
  const requested = readAmount(body['amount_usd'], newest?.places ?? 2);
  if (requested === null) throw new Refusal(400, 'INVALID_FIELD_VALUE', 'amount_usd must be a decimal string above zero.');
  refuseWhereForbidden(view, subscription, current, requested);
  const fromSeq = (newest?.seq ?? 0) + 1;
  const applied = (support.changeOf(subscription.id)?.prices ?? []).filter((price) => price.isApplicable && price.fromSeq < fromSeq);
  const isQueued = requested !== current;
  support.change(subscription.id, {
    ...support.changeOf(subscription.id),
    updatedMs: view.nowMs,
    prices: isQueued ? [...applied, { fromSeq, amount: requested.toString(), isApplicable: canApply(current, requested) }] : applied,
  });
  call.outcome = isQueued ? 'staged' : 'cleared';
  const through = paidThrough(view, view.periodsOf(subscription));
  const staged = view.stagedPrice(subscription);
  return {
    status: 'success',
    old_amount_usd: formatUsd(current),
    new_amount_usd: formatUsd(requested),
    pending_amount_usd: staged === null ? null : formatUsd(staged),
    change_queued: isQueued,
    applies_from: isQueued && through !== null ? formatInstant(newest?.endMs ?? through) : null,
    applies_from_period_seq: isQueued ? fromSeq : null,
    paid_through: through === null ? null : formatInstant(through),
    current_period_end: formatInstant(newest?.endMs ?? subscription.createdMs),
    prorated: false,
    subscription: subscriptionObject(view, subscription, false),
  };
}

/** Whether a staged price is ever applied: not above twice the agreed price, and not above 500.00. */
export function canApply(agreed: Usd, requested: Usd): boolean {
  return requested < agreed || (requested <= 2n * agreed && requested <= INCREASE_TO_MAX);
}

function refuseWhereForbidden(view: GameView, subscription: Subscription, current: Usd, requested: Usd): void {
  if (!LIVE_STATUSES.includes(subscriptionStatus(view, subscription)))
    throw new Refusal(409, 'SUBSCRIPTION_TERMINAL', 'The subscription has ended.');
  if (subscription.rail === 'pcstore' && requested > current)
    throw new Refusal(409, 'PCSTORE_REAUTHORIZATION_REQUIRED', 'The store must be asked again for a higher price.', {
      current_amount_usd: formatUsd(current),
      requested_amount_usd: formatUsd(requested),
    });
}
