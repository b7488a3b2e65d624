import type { InvoErrorCode } from '../invo-error.ts';

export type RetryDecision = { kind: 'stop' } | { kind: 'wait'; waitMs: number };

const FIRST_MS = 500;
const BACKOFF_MAX_MS = 30_000;
const RATE_LIMITED_MIN_MS = 1_000;

/**
 * Whether a failed read is tried again, and after how long. Exponential with jitter from half a second (`jitter` is 0 up to 1), never
 * sooner than Invo asked; after `triesMax` tries, or where asking again cannot help, it stops.
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
  const ceiling = Math.min(BACKOFF_MAX_MS, FIRST_MS * 2 ** (failed.tries - 1));
  const backoff = Math.round(ceiling / 2 + (ceiling / 2) * failed.jitter);
  const least = failed.code === 'rate_limited' ? RATE_LIMITED_MIN_MS : 0;
  return { kind: 'wait', waitMs: Math.max(backoff, least, failed.retryAfterMs ?? 0) };
}
