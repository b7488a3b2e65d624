import type { Period, Subscription } from '../model.ts';
import { percentOf } from '../money.ts';

interface Change {
  cancel?: { requestedMs: number; endsMs: number; reason: string | null };
  prices?: { fromSeq: number; amount: string; isApplicable: boolean }[];
  cardId?: number;
}

/** The changes made to subscriptions. Version 0: none. */
export interface SubscriptionChanges {
  version: number;
  changeOf(subscriptionId: string): Change | null;
}

/** The subscription after its changes: end, funding and the reason for a cancellation. */
export function currentSubscription(support: SubscriptionChanges, subscription: Subscription): Subscription {
  const change = support.changeOf(subscription.id);
  if (change === null) return subscription;
  const { cancel } = change;
  return {
    ...subscription,
    walletOnly: subscription.walletOnly && change.cardId === undefined,
    ...(cancel === undefined ? {} : canceled(subscription, cancel)),
  };
}

/** The period after the changes to its subscription: none after the end, not paid past it, and at the staged price. */
export function asRequested(support: SubscriptionChanges, period: Period): Period[] {
  const change = support.changeOf(period.subscription.id);
  if (change === null) return [period];
  const endsMs = change.cancel?.endsMs ?? Number.POSITIVE_INFINITY;
  if (period.startMs >= endsMs) return [];
  const requested = repriced(change, period);
  return [period.paidMs === null || period.paidMs < endsMs ? requested : { ...requested, paidMs: null, unpaidStatus: 'failed' }];
}

function repriced(change: Change, period: Period): Period {
  const price = change.prices?.findLast(({ fromSeq, isApplicable }) => isApplicable && fromSeq <= period.seq);
  if (price === undefined) return period;
  const amount = BigInt(price.amount);
  const fee = percentOf(amount, 1000, period.places);
  const base = amount - fee;
  const { attribution } = period;
  const coins = `${amount / 100n}.00`;
  return {
    ...period,
    amount,
    fee,
    partner: base,
    coins,
    balanceCoins: period.isWalletCovered ? coins : '0.00',
    attribution: attribution === null ? null : { ...attribution, base, attributed: percentOf(base, attribution.percentBp, period.places) },
  };
}

function canceled(subscription: Subscription, cancel: NonNullable<Change['cancel']>): Partial<Subscription> {
  const isEarlier = subscription.ends !== null && subscription.ends.atMs <= cancel.endsMs;
  return {
    ends: isEarlier ? subscription.ends : { atMs: cancel.endsMs, status: 'canceled' },
    canceledMs: cancel.requestedMs,
    ...(cancel.reason === null ? {} : { metadata: { ...subscription.metadata, _invo_cancellation: { reason: cancel.reason } } }),
  };
}
