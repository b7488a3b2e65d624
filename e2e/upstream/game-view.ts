import type { Period, Refund, Subscription, World } from './model.ts';
import type { Usd } from './money.ts';
import { type RefundHistory, refundHistory } from './refunds/refund-history.ts';
import type { Desk } from './state/desk.ts';
import { asRequested, currentSubscription, type SubscriptionChanges } from './subscriptions/subscription-changes.ts';

/** The refunds made since the world was created. */
export interface RecordedRefunds {
  version: number;
  lastRefundMs: number;
  refundsOf(periodId: number): readonly Refund[];
  refundedIds(): Iterable<number>;
}

/** One game at one instant: its world up to then, with refunds and changes made since. */
export interface GameView {
  world: World;
  recorded: RecordedRefunds;
  desk: Desk;
  nowMs: number;
  /** Two views with the same stamp show the same figures. */
  stamp: string;
  lineOrder: 'newest' | 'oldest' | 'shuffled' | 'latest_refund';
  settledBetween(startMs: number, endMs: number): Period[];
  refundedBetween(startMs: number, endMs: number): Period[];
  periodsOf(subscription: Subscription): Period[];
  period(id: number): Period | null;
  /** The refunds of a period, later ones included, the world's first. */
  refundsOf(period: Period): readonly Refund[];
  history(period: Period): RefundHistory;
  /** The subscription with its changes. */
  current(subscription: Subscription): Subscription;
  /** The price staged for a renewal, or for none when it never applies; null: none. */
  stagedPrice(subscription: Subscription): Usd | null;
}

export interface GameViewParts {
  world: World;
  recorded: RecordedRefunds;
  support: SubscriptionChanges;
  desk: Desk;
  nowMs: number;
  lineOrder: GameView['lineOrder'];
}

/** Opens the view of an instant; it shows nothing later. */
export function openGameView({ world, recorded, support, desk, nowMs, lineOrder }: GameViewParts): GameView {
  const isQuiet = nowMs > Math.max(world.quietAfterMs, recorded.lastRefundMs);
  function isOpened(period: Period): boolean {
    return Math.min(period.startMs, period.paidMs ?? period.startMs) <= nowMs;
  }
  function seen(periods: Period[]): Period[] {
    return support.version === 0 ? periods : periods.flatMap((period) => asRequested(support, period));
  }
  function refundsOf(period: Period): readonly Refund[] {
    return [...period.refunds, ...recorded.refundsOf(period.id)];
  }
  function periodsOf(subscription: Subscription): Period[] {
    return seen(world.periodsOf(subscription).filter(isOpened)).sort((a, b) => b.seq - a.seq || b.id - a.id);
  }
  return {
    world,
    recorded,
    desk,
    nowMs,
    lineOrder,
    stamp: `${world.gameId}|${isQuiet ? 'quiet' : nowMs}|${recorded.version}|${support.version}|${lineOrder}`,
    settledBetween: (startMs, endMs) =>
      seen(world.paidBetween(startMs, Math.min(endMs, nowMs + 1))).filter(({ paidMs }) => paidMs !== null),
    refundedBetween(startMs, endMs): Period[] {
      const found = new Map(world.refundedBetween(startMs, Math.min(endMs, nowMs + 1)).map((period) => [period.id, period]));
      for (const id of recorded.refundedIds()) {
        const period = found.has(id) ? null : world.period(id);
        if (period !== null) found.set(id, period);
      }
      return seen([...found.values()]);
    },
    periodsOf,
    period(id): Period | null {
      const found = world.period(id);
      return found !== null && isOpened(found) ? (seen([found])[0] ?? null) : null;
    },
    refundsOf,
    history: (period) => refundHistory(period, refundsOf(period), nowMs),
    current: (subscription) => currentSubscription(support, subscription),
    stagedPrice(subscription): Usd | null {
      const last = support.changeOf(subscription.id)?.prices;
      if (last === undefined) return subscription.stagedPrice ?? null;
      const price = last.at(-1);
      const newestSeq = Math.max(
        0,
        ...periodsOf(subscription)
          .filter(({ paidMs }) => (paidMs ?? nowMs + 1) <= nowMs)
          .map(({ seq }) => seq),
      );
      return price === undefined || (price.isApplicable && newestSeq >= price.fromSeq) ? null : BigInt(price.amount);
    },
  };
}
