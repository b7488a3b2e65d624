import { setTimeout as sleepFor } from 'node:timers/promises';
import { parseInstant } from '../core/instant.ts';
import { InvoError } from './invo-error.ts';
import type { InvoErrorCode } from './rules/error-codes.ts';
import type { Budget, Route, Sleep } from './settings.ts';

export interface RetryPolicy {
  budget: Budget;
  sleep: Sleep;
  now: () => number;
  random: () => number;
  triesMax: number;
  /** Called after every failed try; `waitMs` is null when it was the last. */
  onFailure: (error: InvoError, waitMs: number | null, tries: number) => void;
}

/**
 * Tries a read until it succeeds, fails for good, or runs out of tries; then throws the last InvoError. Each 429 pauses the shared
 * budget, so that every process waits. The signal ends every wait at once.
 */
export async function tryCall<T>(
  policy: RetryPolicy,
  route: Route,
  signal: AbortSignal | undefined,
  call: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await call(tries);
      await policy.budget.answered?.(route);
      return answer;
    } catch (error) {
      if (!(error instanceof InvoError)) throw error;
      const decision = decideRetry({
        code: error.code,
        isRetryable: error.isRetryable,
        retryAfterMs: error.retryAfterMs,
        tries,
        triesMax: policy.triesMax,
        jitter: policy.random(),
      });
      // Where no call was made, Invo requested nothing new.
      if (error.code === 'rate_limited' && error.isRetryable) await block(policy, route, error);
      policy.onFailure(error, decision.kind === 'wait' ? decision.waitMs : null, tries);
      if (decision.kind === 'stop') throw error;
      await waitOrAbort(signal, () => policy.sleep(decision.waitMs, signal));
    }
  }
}

async function block({ budget, now }: RetryPolicy, route: Route, error: InvoError): Promise<void> {
  await budget.blockUntil(route, now() + (error.retryAfterMs ?? 1_000));
}

export type RetryDecision = { kind: 'stop' } | { kind: 'wait'; waitMs: number };

/** A longer wait is not slept through: the call fails, and the budget lets the next one through when it is due. */
export const LONG_WAIT_MS = 15 * 60_000;

const FIRST_MS = 500;
const BACKOFF_MAX_MS = 30_000;
const RATE_LIMITED_MIN_MS = 1_000;

/**
 * Whether a failed read is tried again, and after how long. Exponential with jitter from half a second (`jitter` is 0 up to 1), never
 * sooner than Invo requested; after `triesMax` tries, where a retry cannot help, or where Invo requests a long wait, it stops.
 */
export function decideRetry(failed: {
  code: InvoErrorCode;
  isRetryable: boolean;
  retryAfterMs: number | null;
  tries: number;
  triesMax: number;
  jitter: number;
}): RetryDecision {
  if (!failed.isRetryable || failed.tries >= failed.triesMax) return { kind: 'stop' };
  if (failed.code === 'rate_limited' && (failed.retryAfterMs ?? 0) > LONG_WAIT_MS) return { kind: 'stop' };
  const ceiling = Math.min(BACKOFF_MAX_MS, FIRST_MS * 2 ** (failed.tries - 1));
  const backoff = Math.round(ceiling / 2 + (ceiling / 2) * failed.jitter);
  const least = failed.code === 'rate_limited' ? RATE_LIMITED_MIN_MS : 0;
  return { kind: 'wait', waitMs: Math.max(backoff, least, failed.retryAfterMs ?? 0) };
}

const SHORTEST_MS = 1_000;
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * How long a wait Invo requests, in milliseconds: the longer of header and body, at least 1 s; null when neither says anything readable. Each is a number
 * of seconds or an instant; in the body `retry_after_seconds` counts before `retry_after`. What exceeds a day, or lies in the past, is not a wait.
 */
export function parseRetryAfter(header: string | null, inBody: Record<string, unknown>, nowMs: number): number | null {
  const { retry_after_seconds, retry_after } = inBody;
  const waits = [waitOf(header?.trim(), nowMs), withinDay(fromSeconds(retry_after_seconds)) ?? waitOf(retry_after, nowMs)];
  const readable = waits.filter((wait) => wait !== null);
  return readable.length === 0 ? null : Math.max(SHORTEST_MS, ...readable);
}

// An instant read as seconds would be a wait of 56 years.
function waitOf(value: unknown, nowMs: number): number | null {
  const seconds = withinDay(fromSeconds(value));
  if (seconds !== null) return seconds;
  const instant = instantOf(value);
  return instant === null || instant <= nowMs ? null : withinDay(instant - nowMs);
}

function withinDay(ms: number | null): number | null {
  return ms !== null && ms <= LONGEST_MS ? ms : null;
}

// Seconds since 1970 have ten digits, milliseconds thirteen.
function instantOf(value: unknown): number | null {
  const seconds = fromSeconds(value);
  if (seconds !== null) return seconds >= 1e15 ? seconds / 1000 : seconds;
  if (typeof value !== 'string') return null;
  // HTTP dates end in GMT (RFC 9110, section 5.6.7).
  const instant = Date.parse(value.endsWith('GMT') ? value : (parseInstant(value) ?? ''));
  return Number.isNaN(instant) ? null : instant;
}

function fromSeconds(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) * 1000 : null;
}

/** Sleeps by the real clock; the signal ends it at once and leaves no timer behind. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal ? { signal } : {});
}

/** Waits for something that may or may not know the signal; throws InvoError `aborted` as soon as the signal says so. */
export async function waitOrAbort(signal: AbortSignal | undefined, begin: () => Promise<void>): Promise<void> {
  if (!signal) return begin();
  if (signal.aborted) throw abortedError();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(abortedError());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([begin(), stopped]);
  } catch (error) {
    throw signal.aborted ? abortedError() : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The error of a call that its caller stopped. */
export function abortedError(): InvoError {
  return new InvoError('aborted', 'stopped by the caller');
}
