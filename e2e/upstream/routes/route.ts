import type { Environment } from '../model.ts';
import type { Book } from '../report/book.ts';
import type { Json } from '../wire/json.ts';

export type RouteName = 'attribution' | 'subscription-attribution' | 'period' | 'subscription' | 'player-subscriptions';

export interface Call {
  environment: Environment;
  book: Book;
  /** What the path's pattern captured, decoded. */
  params: string[];
  search: URLSearchParams;
  /** A fault's shift of the page by one recipient. */
  isPageShifted: boolean;
}

export interface Route {
  name: RouteName;
  method: 'GET';
  pattern: RegExp;
  meter: 'aggregate' | 'detail' | 'none';
  /** The subscription whose own meter the call counts against. */
  subscriptionId?(call: Call): string | null;
  answer(call: Call): Json;
}
