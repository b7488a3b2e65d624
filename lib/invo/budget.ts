/**
 * Which of Invo's rate limits a call counts against: aggregate reports (60 a minute and game), detail reports (600, and 120 a
 * subscription), balances (1500), refunds (20 a subscription), and other routes, for which the contract states no limit.
 */
export type Route =
  | { kind: 'aggregate' }
  | { kind: 'detail'; subscriptionId?: string }
  | { kind: 'balance'; subscriptionId?: never }
  | { kind: 'refund'; subscriptionId: string }
  | { kind: 'other'; subscriptionId?: string };

/** The rate budget shared by every process that calls for one game; every attempt takes from it first. */
export interface Budget {
  /** Waits until one call may be made; rejects when the signal says so. */
  take(route: Route, signal?: AbortSignal): Promise<void>;
  /** Nobody calls this route before `untilMs` (milliseconds since 1970): Invo said so with a 429. */
  blockUntil(route: Route, untilMs: number): Promise<void>;
}
