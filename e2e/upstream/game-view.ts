import type { Period, Refund, Subscription, World } from './model.ts';
import type { Usd } from './money.ts';
import { type RefundHistory, refundHistory } from './refunds/refund-history.ts';
import { asAsked, currentSubscription, type DeskMemory } from './subscriptions/subscription-changes.ts';

/** What the service remembers beyond its world: refunds made in it. */
export interface Remembered {
  version: number;
  lastRefundMs: number;
  refundsOf(periodId: number): readonly Refund[];
  refundedIds(): Iterable<number>;
}

/** One game as the service sees it at one instant: its world up to now, with what was done in it since. */
export interface Book {
  world: World;
  /** What the service remembers beside the world. */
  memory: Remembered;
  nowMs: number;
  /** Two books over one memory with the same stamp show the same figures. */
  stamp: string;
  lineOrder: 'newest' | 'oldest' | 'shuffled';
  settledBetween(startMs: number, endMs: number): Period[];
  refundedBetween(startMs: number, endMs: number): Period[];
  cyclesOf(subscription: Subscription): Period[];
  period(id: number): Period | null;
  /** The refunds of a period that have happened or will, the world's first. */
  refundsOf(period: Period): readonly Refund[];
  history(period: Period): RefundHistory;
  /** The subscription with what was asked of it since. */
  current(subscription: Subscription): Subscription;
  /** The price waiting for a renewal, or for ever where the rules forbid it; null when none does. */
  stagedPrice(subscription: Subscription): Usd | null;
}

export interface BookParts {
  world: World;
  remembered: Remembered;
  desk: DeskMemory;
  nowMs: number;
  lineOrder: Book['lineOrder'];
}

/** Opens the book at an instant; nothing later than it can be seen. */
export function openBook({ world, remembered, desk, nowMs, lineOrder }: BookParts): Book {
  const isQuiet = nowMs > Math.max(world.quietAfterMs, remembered.lastRefundMs);
  function isOpened(period: Period): boolean {
    return Math.min(period.startMs, period.paidMs ?? period.startMs) <= nowMs;
  }
  function seen(periods: Period[]): Period[] {
    return desk.version === 0 ? periods : periods.flatMap((period) => asAsked(desk, period));
  }
  function refundsOf(period: Period): readonly Refund[] {
    return [...period.refunds, ...remembered.refundsOf(period.id)];
  }
  function cyclesOf(subscription: Subscription): Period[] {
    return seen(world.periodsOf(subscription).filter(isOpened)).sort((a, b) => b.seq - a.seq || b.id - a.id);
  }
  return {
    world,
    memory: remembered,
    nowMs,
    lineOrder,
    stamp: `${world.gameId}|${isQuiet ? 'quiet' : nowMs}|${remembered.version}|${desk.version}|${lineOrder}`,
    settledBetween: (startMs, endMs) =>
      seen(world.paidBetween(startMs, Math.min(endMs, nowMs + 1))).filter(({ paidMs }) => paidMs !== null),
    refundedBetween(startMs, endMs): Period[] {
      const found = new Map(world.refundedBetween(startMs, Math.min(endMs, nowMs + 1)).map((period) => [period.id, period]));
      for (const id of remembered.refundedIds()) {
        const period = found.has(id) ? null : world.period(id);
        if (period !== null) found.set(id, period);
      }
      return seen([...found.values()]);
    },
    cyclesOf,
    period(id): Period | null {
      const found = world.period(id);
      return found !== null && isOpened(found) ? (seen([found])[0] ?? null) : null;
    },
    refundsOf,
    history: (period) => refundHistory(period, refundsOf(period), nowMs),
    current: (subscription) => currentSubscription(desk, subscription),
    stagedPrice(subscription): Usd | null {
      const last = desk.changeOf(subscription.id)?.prices;
      if (last === undefined) return subscription.stagedPrice ?? null;
      const price = last.at(-1);
      const newestSeq = Math.max(
        0,
        ...cyclesOf(subscription)
          .filter(({ paidMs }) => (paidMs ?? nowMs + 1) <= nowMs)
          .map(({ seq }) => seq),
      );
      return price === undefined || (price.isApplicable && newestSeq >= price.fromSeq) ? null : BigInt(price.amount);
    },
  };
}
