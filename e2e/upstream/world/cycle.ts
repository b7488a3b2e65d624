import type { Period, Refund, Subscription } from '../model.ts';
import { percentOf, type Usd } from '../money.ts';

/** Since this instant a card-funded cycle applies no coins of the member's balance. */
export const BALANCE_UNAPPLIED_FROM_MS = Date.UTC(2026, 8, 17);

export interface CycleFacts {
  id: number;
  seq: number;
  startMs: number;
  endMs: number;
  paidMs: number | null;
  unpaidStatus?: 'failed' | 'forgiven';
  amount: Usd;
  places: 2 | 4;
  isWalletCovered: boolean;
  /** Coins of the member's balance a card-funded cycle would take before the rule changed. */
  balanceShare: number;
  attempts: number;
  refunds: readonly Refund[];
  refundError?: { status: number; code: string };
}

/** A regular cycle: ten percent to the service, the recipient's rate in force at the cycle's start on the rest. */
export function cycle(subscription: Subscription, facts: CycleFacts): Period {
  const fee = percentOf(facts.amount, 1000, facts.places);
  const partner = facts.amount - fee;
  const share = subscription.share;
  const rate = share?.rates.findLast((each) => each.fromMs <= facts.startMs) ?? share?.rates[0];
  const coinCount = Number(facts.amount / 100n);
  const applied = facts.isWalletCovered ? coinCount : appliedCoins(subscription, facts, coinCount);
  const { balanceShare: _, ...known } = facts;
  return {
    ...known,
    subscription,
    fee,
    partner,
    attribution:
      share === null || rate === undefined
        ? null
        : {
            recipientId: share.recipientId,
            percentBp: rate.percentBp,
            base: partner,
            attributed: percentOf(partner, rate.percentBp, facts.places),
          },
    reason: share === null ? 'no_revenue_share_configured' : null,
    rail: subscription.rail,
    coins: `${coinCount}.00`,
    balanceCoins: `${applied}.00`,
  };
}

function appliedCoins(subscription: Subscription, facts: CycleFacts, coinCount: number): number {
  const isBefore = (facts.paidMs ?? facts.startMs) < BALANCE_UNAPPLIED_FROM_MS;
  return subscription.rail === 'card' && isBefore ? Math.floor(coinCount * facts.balanceShare) : 0;
}
