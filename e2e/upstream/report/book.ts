import type { Period, Refund, Subscription, World } from '../model.ts';
import { type RefundHistory, refundHistory } from './refund-history.ts';

/** What the service remembers beyond its world: refunds made in it. */
export interface Remembered {
  version: number;
  lastRefundMs: number;
  refundsOf(periodId: number): readonly Refund[];
  refundedIds(): Iterable<number>;
}

/** One game as the service sees it at one instant: its world up to now, with the refunds made in it. */
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
  history(period: Period): RefundHistory;
}

/** Opens the book at an instant; nothing later than it can be seen. */
export function openBook(world: World, remembered: Remembered, nowMs: number, lineOrder: Book['lineOrder']): Book {
  const isQuiet = nowMs > Math.max(world.quietAfterMs, remembered.lastRefundMs);
  function isOpened(period: Period): boolean {
    return Math.min(period.startMs, period.paidMs ?? period.startMs) <= nowMs;
  }
  return {
    world,
    memory: remembered,
    nowMs,
    lineOrder,
    stamp: `${world.gameId}|${isQuiet ? 'quiet' : nowMs}|${remembered.version}|${lineOrder}`,
    settledBetween: (startMs, endMs) => world.paidBetween(startMs, Math.min(endMs, nowMs + 1)),
    refundedBetween(startMs, endMs): Period[] {
      const found = new Map(world.refundedBetween(startMs, Math.min(endMs, nowMs + 1)).map((period) => [period.id, period]));
      for (const id of remembered.refundedIds()) {
        const period = found.has(id) ? null : world.period(id);
        if (period !== null) found.set(id, period);
      }
      return [...found.values()];
    },
    cyclesOf: (subscription) =>
      world
        .periodsOf(subscription)
        .filter(isOpened)
        .sort((a, b) => b.seq - a.seq || b.id - a.id),
    period(id): Period | null {
      const found = world.period(id);
      return found !== null && isOpened(found) ? found : null;
    },
    history: (period) => refundHistory(period, [...period.refunds, ...remembered.refundsOf(period.id)], nowMs),
  };
}
