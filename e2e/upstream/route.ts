import type { Book } from './game-view.ts';
import type { Environment, Subscription } from './model.ts';
import type { State } from './state/state.ts';
import type { DeskStore } from './state/stores.ts';
import type { Json } from './wire/answer.ts';
import { Refusal } from './wire/answer.ts';

type RouteName =
  | 'attribution'
  | 'subscription-attribution'
  | 'period'
  | 'subscription'
  | 'player-subscriptions'
  | 'balances'
  | 'player-cards'
  | 'cancel'
  | 'amount'
  | 'payment-method'
  | 'refund';

/** What a fault asks of a route that executes: fail once the card has its money back, or forget what was answered. */
export interface Trick {
  kind: 'card_first' | 'lose_receipt' | 'lose_reference';
  /** Set by the route; a trick without its occasion is kept for the next call. */
  isDone: boolean;
}

export interface Call {
  environment: Environment;
  book: Book;
  /** What the path's pattern captured, decoded. */
  params: string[];
  search: URLSearchParams;
  /** The body as received, empty on a read. */
  bytes: Buffer;
  /** A fault's shift of the page by one recipient. */
  isPageShifted: boolean;
  trick: Trick | null;
  state: State;
  desk: DeskStore;
  /** What a write made of the call, for the log. */
  outcome: string | null;
}

export interface Route {
  name: RouteName;
  method: 'GET' | 'POST';
  pattern: RegExp;
  meter: 'aggregate' | 'detail' | 'balance' | 'none';
  /** The subscription whose own meter the call counts against. */
  subscriptionId?(call: Call): string | null;
  /** Answers in one go, without waiting for anything: two calls never interleave. */
  answer(call: Call): Json;
}

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
