import type { Period, Refund, Subscription } from '../model.ts';
import { percentOf, type Usd } from '../money.ts';

/** From this instant on, a period charged to a card applies no coins from the player's balance. */
export const BALANCE_UNAPPLIED_FROM_MS = Date.UTC(2026, 8, 17);

export interface PeriodParts {
  id: number;
  seq: number;
  startMs: number;
  endMs: number;
  paidMs: number | null;
  unpaidStatus?: 'failed' | 'forgiven';
  amount: Usd;
  places: 2 | 4;
  isWalletCovered: boolean;
  /** Share of the price that a period charged to a card took from the player's balance before the rule changed. */
  balanceShare: number;
  attempts: number;
  refunds: readonly Refund[];
  refundError?: { status: number; code: string };
}

/** A regular period: ten percent fee; the recipient's rate at the start of the period applies to the rest. */
export function regularPeriod(subscription: Subscription, facts: PeriodParts): Period {
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

function appliedCoins(subscription: Subscription, facts: PeriodParts, coinCount: number): number {
  const isBefore = (facts.paidMs ?? facts.startMs) < BALANCE_UNAPPLIED_FROM_MS;
  return subscription.rail === 'card' && isBefore ? Math.floor(coinCount * facts.balanceShare) : 0;
}
