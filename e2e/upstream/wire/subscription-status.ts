import type { Period, Subscription } from '../model.ts';
import type { Book } from '../report/book.ts';
import { cycleStatus, isSettled } from './renewal-line.ts';

/** The four the word `live` stands for; the contract names two of the four words, `retrying` and the whole set are ours. */
export const LIVE_STATUSES = ['active', 'retrying', 'awaiting_authentication', 'pending_pcstore_authorization'];
export const SUBSCRIPTION_STATUSES = [...LIVE_STATUSES, 'canceled', 'expired'];

/** Where a subscription stands now. */
export function subscriptionStatus(book: Book, held: Subscription): string {
  const subscription = book.current(held);
  if (subscription.ends !== null && subscription.ends.atMs <= book.nowMs) return subscription.ends.status;
  if (subscription.standing !== undefined && subscription.standing.fromMs <= book.nowMs) return subscription.standing.status;
  const newest = book.cyclesOf(subscription)[0];
  if (newest === undefined) return subscription.rail === 'pcstore' ? 'pending_pcstore_authorization' : 'awaiting_authentication';
  return cycleStatus(book, newest) === 'pending' ? 'retrying' : 'active';
}

/** Until when the player may use what was sold: the end of the latest paid cycle that was not wholly refunded; null before anything was paid. */
export function paidThrough(book: Book, cycles: Period[]): number | null {
  const kept = cycles.filter((period) => isSettled(book, period) && cycleStatus(book, period) === 'paid');
  return kept.length === 0 ? null : Math.max(...kept.map(({ endMs }) => endMs));
}
