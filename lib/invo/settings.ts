import { BASE_URL_RULE, isSecret, parseBaseUrl, SECRET_RULE } from '../core/game.ts';
import { InvoError } from './invo-error.ts';
import type { InvoErrorCode } from './rules/error-codes.ts';

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** `now` is milliseconds since 1970. */
export interface InvoSettings {
  access: InvoAccess;
  budget: Budget;
  sleep?: Sleep;
  now?: () => number;
  random?: () => number;
  secretMemory?: SecretMemory;
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
 * subscription), balances (1500), refunds (20 a subscription), what one player may do (purchases 20, items 60, transfers and sends 10), and loyalty
 * and other routes, for which the contract states no limit.
 */
export type Route =
  | { kind: 'aggregate' }
  | { kind: 'detail'; subscriptionId?: string }
  | { kind: 'balance'; subscriptionId?: never }
  | { kind: 'loyalty'; subscriptionId?: never }
  | { kind: 'refund'; subscriptionId: string }
  | { kind: PlayerLimit; playerId: number; subscriptionId?: never }
  | { kind: 'other'; subscriptionId?: string };

/** What Invo limits for each player alone. */
export type PlayerLimit = 'purchase' | 'item' | 'initiate';

/** The rate budget shared by every process that calls for one game; every attempt takes from it first. */
export interface Budget {
  /** Waits until one call may be made; rejects when the signal says so. */
  take(route: Route, signal?: AbortSignal): Promise<void>;
  /** No process calls this route before `untilMs` (milliseconds since 1970): Invo answered 429. */
  blockUntil(route: Route, untilMs: number): Promise<void>;
  /** Invo answered a call of this route: a long wait it requested is over. */
  answered?(route: Route): Promise<void>;
}

/** Which secret Invo accepted last, for every process that calls for one game. An error of it never changes the outcome of a call. */
export interface SecretMemory {
  /** `previous_long_ago`: so long ago that the current one is tried again. */
  find(): Promise<'current' | 'previous' | 'previous_long_ago'>;
  /** Called when it is another one than before, and when Invo refused the other one first. */
  record(accepted: 'current' | 'previous'): void | Promise<void>;
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
    slots: createSecretSlots(settings.access, settings.secretMemory ?? NO_MEMORY),
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

/** The bounds on one call. Reaching one is an error, never a truncation. */
export interface Limits {
  receivedBytes: number;
  inflatedBytes: number;
  headerBytes: number;
  /** Values, lists and objects in one body: more would blow memory while being parsed. */
  jsonValues: number;
  connectMs: number;
  firstByteMs: number;
  idleMs: number;
  aggregateMs: number;
  detailMs: number;
  /** The whole of a write, from the first sign of the connection to the last byte of the answer. */
  writeMs: number;
  /** The same for a write that a person waits for. */
  pressMs: number;
  tries: number;
}

const MIB = 1024 * 1024;

/** The largest honest page is about 50 MB and 3 million values (20,000 renewals and 20,000 reversals with their refunds). */
const defaultLimits: Limits = {
  receivedBytes: 64 * MIB,
  inflatedBytes: 128 * MIB,
  headerBytes: 16 * 1024,
  jsonValues: 8_000_000,
  connectMs: 5_000,
  firstByteMs: 30_000,
  idleMs: 10_000,
  aggregateMs: 60_000,
  detailMs: 20_000,
  writeMs: 45_000,
  pressMs: 20_000,
  tries: 6,
};

/** Where one game is at Invo, and its secrets. `gameId` is Invo's game_id as text, when it is pinned. */
interface InvoAccess {
  baseUrl: string;
  secret: string;
  previousSecret?: string;
  environment: 'production' | 'sandbox';
  gameId?: string;
}

/** The current and the previous game secret of one endpoint, and which of the two worked last. */
interface SecretSlots {
  all: readonly string[];
  /**
   * Calls with the secret that worked last; when Invo refuses it with a 401, once with the other one.
   * Throws InvoError unauthorized when both are refused.
   */
  callWith<T>(call: (secret: string) => Promise<T>): Promise<T>;
}

const NO_MEMORY: SecretMemory = { find: async () => 'current', record: () => undefined };

/** Holds the two slots through a rotation (the old key works for 7 days), and remembers which one Invo accepts. */
function createSecretSlots(access: InvoAccess, memory: SecretMemory): SecretSlots {
  const current = checkSecret(access.secret, 'current');
  const previous = access.previousSecret === undefined ? current : checkSecret(access.previousSecret, 'previous');
  if (previous === current) return { all: [current, previous], callWith: (call) => call(current) };
  let working: string | null = null;
  let remembered = current;
  async function start(): Promise<string> {
    // A memory that fails, at once or later, is one without an answer.
    const last = await Promise.try(() => memory.find()).catch(() => 'current' as const);
    remembered = last === 'current' ? current : previous;
    working ??= last === 'previous' ? previous : current;
    return working;
  }
  async function accept(secret: string, wasRefused: boolean): Promise<void> {
    working = secret;
    if (secret === remembered && !wasRefused) return;
    remembered = secret;
    // What Invo answered counts; the next client tries both again.
    await ignoringErrors(() => memory.record(secret === current ? 'current' : 'previous'));
  }
  async function callWith<T>(call: (secret: string) => Promise<T>): Promise<T> {
    const first = working ?? (await start());
    const other = first === current ? previous : current;
    try {
      const answer = await call(first);
      await accept(first, false);
      return answer;
    } catch (error) {
      if (!(error instanceof InvoError) || error.code !== 'unauthorized') throw error;
    }
    const answer = await call(other);
    await accept(other, true);
    return answer;
  }
  return { all: [current, previous], callWith };
}

/** Whether bytes or text repeat one of the secrets, as they are or as JSON would write them. */
export function repeatsSecret(body: Buffer | string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1)));
}

/** A player token as a header carries it. Throws an Error that doesn't repeat any other text. */
export function checkToken(token: string): string {
  if (!isPlayerToken(token)) throw new Error('not a player token');
  return token;
}

/** Whether a value is a player token: long enough to be one, and nothing that would end a header. */
export function isPlayerToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{16,4096}$/.test(value);
}

/** Does what must not change the outcome of a call. */
export async function ignoringErrors(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch {
    return;
  }
}

// The Error names the slot, never the value.
function checkSecret(secret: string, slot: string): string {
  if (!isSecret(secret)) throw new Error(`the ${slot} game secret ${SECRET_RULE}`);
  return secret;
}
