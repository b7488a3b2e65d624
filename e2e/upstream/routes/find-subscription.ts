import type { Subscription } from '../model.ts';
import type { Book } from '../report/book.ts';
import { Refusal } from '../wire/refusal.ts';

/** The game's subscription of that id; a malformed id and one of nobody's are refused each with its code. */
export function findSubscription(
  book: Book,
  id: string | undefined,
  malformedCode: 'INVALID_FIELD_VALUE' | 'SUBSCRIPTION_ID_INVALID',
): Subscription {
  if (id === undefined || !/^[A-Za-z0-9_-]{1,50}$/.test(id)) throw new Refusal(400, malformedCode, 'The subscription id is malformed.');
  const subscription = book.world.subscription(id);
  if (subscription === null || subscription.createdMs > book.nowMs)
    throw new Refusal(404, 'SUBSCRIPTION_NOT_FOUND', 'No such subscription in this game.');
  return subscription;
}
