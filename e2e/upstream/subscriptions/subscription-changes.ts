import type { Period, Subscription } from '../model.ts';
import { percentOf } from '../money.ts';

interface Change {
  cancel?: { requestedMs: number; endsMs: number; reason: string | null };
  prices?: { fromSeq: number; amount: string; isApplicable: boolean }[];
  cardId?: number;
}

/** What was asked of subscriptions; version 0 is nothing at all. */
export interface DeskMemory {
  version: number;
  changeOf(subscriptionId: string): Change | null;
}

/** The subscription as it stands after what was asked of it: its end, its funding, the reason it was canceled for. */
export function currentSubscription(desk: DeskMemory, subscription: Subscription): Subscription {
  const change = desk.changeOf(subscription.id);
  if (change === null) return subscription;
  const { cancel } = change;
  return {
    ...subscription,
    walletOnly: subscription.walletOnly && change.cardId === undefined,
    ...(cancel === undefined ? {} : canceled(subscription, cancel)),
  };
}

/** The cycle after what was asked of its subscription: not begun or not charged past the end, and at the price staged for it. */
export function asAsked(desk: DeskMemory, period: Period): Period[] {
  const change = desk.changeOf(period.subscription.id);
  if (change === null) return [period];
  const endsMs = change.cancel?.endsMs ?? Number.POSITIVE_INFINITY;
  if (period.startMs >= endsMs) return [];
  const asked = repriced(change, period);
  return [period.paidMs === null || period.paidMs < endsMs ? asked : { ...asked, paidMs: null, unpaidStatus: 'failed' }];
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
