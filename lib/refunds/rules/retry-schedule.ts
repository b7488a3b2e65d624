const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * No refund is sent by itself later than this after it was sent first: how long Invo remembers a key is not stated, a day is taken for
 * safe, and a call may linger on the road for a while, so that the last one leaves half an hour before the day is over.
 */
export const RETRY_FOR_MS = 24 * HOUR - 30 * MINUTE;

/** When sending by itself ends, milliseconds since 1970: counted from the first call, or from the approval that came after it. */
export function triesUntil(firstSentAt: number | null, approvedAt: number | null): number {
  return Math.max(firstSentAt ?? 0, approvedAt ?? 0) + RETRY_FOR_MS;
}

/** How soon a period that could not be read, or said too little, is read again, in milliseconds, by what it is read for. */
export const READ_AGAIN_MS = { before: 30 * SECOND, verify: MINUTE, rebuild: 5 * MINUTE } as const;

/** A reading of the period proves nothing about a call younger than this. */
export const SETTLES_AFTER_MS = 30 * MINUTE;

const STEPS_MS = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR] as const;
const LATER_MS = 3 * HOUR;
const PAUSED_MIN_MS = 5 * MINUTE;
const WAIT_MIN_MS = 3 * SECOND;

/**
 * How long to wait before the same request is sent again, in milliseconds: 2 s, 10 s, 30 s, 2, 5, 15, 30 minutes, 1 and 2 hours, then
 * every 3 hours; between half and all of that (`jitter` is 0 up to 1), never sooner than Invo asked, 5 minutes at least when it is paused.
 */
export function retryAfter(tried: { attempt_count: number; isPaused: boolean; retryAfterMs: number | null; jitter: number }): number {
  const step = STEPS_MS[Math.max(0, tried.attempt_count - 1)] ?? LATER_MS;
  const spread = Math.round(step / 2 + (step / 2) * tried.jitter);
  const asked = tried.retryAfterMs === null ? 0 : Math.max(tried.retryAfterMs, WAIT_MIN_MS);
  return Math.max(spread, asked, tried.isPaused ? PAUSED_MIN_MS : 0);
}
