import type { Evidence } from './invo-error.ts';
import type { Query } from './request-path.ts';
import type { InvoErrorCode } from './rules/error-codes.ts';
import type { RouteFamily } from './rules/route-codes.ts';
import type { Route } from './settings.ts';
import type { Reader } from './shapes/fields.ts';

/** One game at Invo: what a route function needs to read or send. `openInvo` makes it; nothing of the network shows through. */
export interface Invo {
  /** Reads one answer and tries again where that helps. Throws InvoError. */
  ask<T>(question: Question<T>): Promise<Exchange<T>>;
  /** Opens one long answer that is read while it arrives, with one attempt. Throws InvoError. */
  stream(question: StreamQuestion): Promise<StreamedAnswer>;
  /** Sends one write and returns what was observed. Never throws for an error of Invo, the transport, the budget or the log. */
  write(write: Write): Promise<WriteResult>;
  /**
   * Sends one desk action and returns what was observed. The call was taken from the rate budget before. Never throws for an error of Invo, the
   * transport or the log; throws an Error for a token that no header can carry.
   */
  writeAction(write: ActionWrite): Promise<ActionWriteResult>;
  /** Invo's game_id where it is pinned. */
  gameId: string | null;
  /** Distinguishes this game from every other one of this process: base URL, environment and game. */
  key: string;
}

/** One read: where it goes, how its answer is read, and which budget it counts against. */
export interface Question<T> {
  route: Route;
  /** Whose codes a refusal has; absent: reports and subscriptions. */
  family?: RouteFamily;
  path: string;
  query?: Query;
  /** Path and query as people may read them in logs and evidence, where those sent carry an email. */
  shown?: string;
  /** Sent as JSON by POST, to a route that only reads. */
  post?: Buffer;
  /** The token of the player who reads; absent: the game reads, by its secret. */
  token?: string;
  /** False: nothing of an answer may be stored, so an error has no evidence. */
  isStored?: false;
  read: Reader<T>;
  /** How its JSON is parsed; absent: as numbers of JavaScript. */
  parse?: (text: string) => unknown;
  signal: AbortSignal | undefined;
}

/** What one answer states, with the bytes it was read from. */
export interface Exchange<T> {
  value: T;
  /** `sentAt_ms`: when the request was sent, by `performance.now()` of this process. */
  evidence: Evidence & { sentAt_ms: number };
}

export interface StreamQuestion {
  route: Route;
  path: string;
  limits?: Partial<StreamLimits> | undefined;
  signal?: AbortSignal | undefined;
}

/** The bounds on one stream. Reaching one is an error, never its end. */
export interface StreamLimits {
  receivedBytes: number;
  inflatedBytes: number;
  /** Without a byte for so long it counts as cut. */
  idleMs: number;
  totalMs: number;
}

/** An answer that is read while it arrives. */
export interface StreamedAnswer {
  contentType: string;
  /** The text in pieces. Throws InvoError when the answer doesn't end whole, or passes a bound. */
  pieces: AsyncGenerator<string>;
  receivedBytes(): number;
}

/** One write. `body` is sent as it is. */
interface Write {
  route: Route;
  path: string;
  body: Uint8Array;
  signal: AbortSignal | undefined;
}

export interface WriteResult extends PostResult {
  secret: 'current' | 'previous';
}

/** One write of the desk. `body` is sent as it is, and an empty one is none. */
export interface ActionWrite extends Write {
  family: RouteFamily;
  /** The token of the player who acts; absent: the game does, by its secret. */
  token?: string | undefined;
  /** `nothing`: an answer may hold a secret, so there is no evidence. `answer`: its fields are, without secrets, names, emails and phones. */
  keep: 'answer' | 'nothing';
  /** A person waits for a shorter time than the worker. */
  sentBy: 'press' | 'worker';
}

/** `secret` is null when a player acted. `json` has exact numbers, and no text that repeats a secret of the request. */
export interface ActionWriteResult extends PostResult {
  secret: 'current' | 'previous' | null;
  /** Every code of the answer in any of its fields, the one that promises least on its family first; `errorCode` is the first. */
  codes: string[];
  /** Invo's sentence of a refusal, without emails, phones and links, to be shown and never matched. */
  prose: string | null;
}

/**
 * How far a write got. `not_sent`: no byte of the request was handed to a connection. `answered`: a whole answer came and is a JSON
 * object; `transportError` is null. `sent` is everything between: the request may have been executed.
 */
export interface PostResult extends ErrorBody {
  phase: 'not_sent' | 'sent' | 'answered';
  transportError: InvoErrorCode | null;
  status: number | null;
  /** The object in the answer, without any text that repeats a secret; null unless `answered`. */
  json: Record<string, unknown> | null;
  /** Null when no whole answer came, or when it repeats a secret. */
  evidence: Evidence | null;
  /** The size of the answer, for the log. */
  receivedBytes: number | null;
  inflatedBytes: number | null;
}

/** An error response: its code, the reference to quote, how long to wait, and its other short values. Never a secret, never an email. */
export interface ErrorBody {
  errorCode: string | null;
  errorId: string | null;
  retryAfterMs: number | null;
  facts: Record<string, string | number | boolean>;
}
