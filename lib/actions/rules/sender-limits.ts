import { compareMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { ActionBlocker } from './action-facts.ts';

// What Invo takes of one sender: 25 sends and 100 starts within an hour, and 1,000,000 coins of sends within a day (document 3, Limits). It doesn't say when an
// hour or a day begins, so any 60 minutes and any 24 hours count. Of calls one is left to those who send beside Sharebook.
const SENDS_PER_HOUR = 24;
const STARTS_PER_HOUR = 99;
const COINS_PER_DAY = '1000000';
const WAIT_MIN_MS = 60_000;

/** What a sender started so far. */
export interface SenderCounts {
  /** Sends of an hour. */
  sends: number;
  /** Calls of an hour that started sends or transfers, repeated ones and refused ones too. */
  starts: number;
  /** Of sends of a day that Invo didn't refuse. */
  coins: string;
  /** Until the oldest of that hour, and of that day, counts no more. */
  hourLeft_ms: number;
  dayLeft_ms: number;
}

/** Which limit of its sender prevents a start, and for how long at least; null: none does. */
export function senderLimitOf(
  { sends, starts, coins, hourLeft_ms, dayLeft_ms }: SenderCounts,
  { isSend, amount }: { isSend: boolean; amount: string },
): { blocker: Extract<ActionBlocker, 'too_many_sends' | 'too_many_starts' | 'too_many_coins'>; wait_ms: number } | null {
  const hour = Math.max(hourLeft_ms, WAIT_MIN_MS);
  if (starts >= STARTS_PER_HOUR) return { blocker: 'too_many_starts', wait_ms: hour };
  if (!isSend) return null;
  if (sends >= SENDS_PER_HOUR) return { blocker: 'too_many_sends', wait_ms: hour };
  const isAbove = compareMoney(sumMoney([coins, amount]), COINS_PER_DAY) > 0;
  return isAbove ? { blocker: 'too_many_coins', wait_ms: Math.max(dayLeft_ms, WAIT_MIN_MS) } : null;
}

/** What is left to a sender before anything is requested. */
export interface SenderRoom {
  /** Why nothing can be started for a while, and how long at least; null: something can. */
  limit: ReturnType<typeof senderLimitOf>;
  /** Coins of sends that are left of 24 hours; null: all, or they aren't limited. */
  coins_left: string | null;
}

/** What is left to a sender of a day and of an hour; a start moves a cent at least. */
export function senderRoomOf(counts: SenderCounts, isSend: boolean): SenderRoom {
  const coins_left = isSend && compareMoney(counts.coins, '0') > 0 ? subtractMoney(COINS_PER_DAY, counts.coins) : null;
  return { limit: senderLimitOf(counts, { isSend, amount: '0.01' }), coins_left };
}
