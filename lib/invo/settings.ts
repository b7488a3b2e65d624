import { BASE_URL_RULE, parseBaseUrl } from '../core/invo-access.ts';
import type { Sleep } from './retry.ts';
import type { InvoErrorCode } from './rules/error-codes.ts';
import { createSecretSlots, type InvoAccess, type SecretSlots } from './secrets.ts';
import { defaultLimits, type Limits } from './transport/limits.ts';

/** `now` is milliseconds since 1970. `onPreviousSecretUsed` is called when Invo accepted the previous secret instead of the current one. */
export interface InvoSettings {
  access: InvoAccess;
  budget: Budget;
  sleep?: Sleep;
  now?: () => number;
  random?: () => number;
  onPreviousSecretUsed?: () => void;
  log?: (event: CallEvent) => void;
  limits?: Partial<Limits>;
}

/** One try as the log sees it: no secret, no body. `waitMs` is the wait before the next try, null when there is none. */
export interface CallEvent {
  route: Route;
  request: string;
  tries: number;
  outcome: 'answered' | InvoErrorCode;
  status: number | null;
  errorId: string | null;
  errorCode: string | null;
  tookMs: number;
  receivedBytes: number | null;
  inflatedBytes: number | null;
  waitMs: number | null;
}

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
  /** No process calls this route before `untilMs` (milliseconds since 1970): Invo answered 429. */
  blockUntil(route: Route, untilMs: number): Promise<void>;
}

/** What the reads and writes of one game share: base URL, limits, secrets, clock and log. */
export interface Endpoint {
  base: URL;
  limits: Limits;
  slots: SecretSlots;
  now: () => number;
  log: (event: CallEvent) => void;
}

/** Checks the settings of one game. Throws an Error when the base URL or a secret cannot be used; it repeats neither. */
export function openEndpoint(settings: InvoSettings): Endpoint {
  return {
    base: checkBaseUrl(settings.access.baseUrl),
    limits: { ...defaultLimits, ...settings.limits },
    slots: createSecretSlots(settings.access, settings.onPreviousSecretUsed ?? (() => {})),
    now: settings.now ?? Date.now,
    log: settings.log ?? (() => {}),
  };
}

/** Path and query below the prefix of the base URL. */
export function requestText(base: URL, path: string): string {
  return `${base.pathname.replace(/\/+$/, '')}${path}`;
}

/** An event before anything is known. */
export const emptyEvent = {
  outcome: 'answered',
  status: null,
  errorId: null,
  errorCode: null,
  receivedBytes: null,
  inflatedBytes: null,
  waitMs: null,
} as const;

// The address may hold credentials: the Error does not repeat it.
function checkBaseUrl(text: string): URL {
  const url = parseBaseUrl(text);
  if (url === null) throw new Error(`the base URL of Invo ${BASE_URL_RULE}`);
  return url;
}
