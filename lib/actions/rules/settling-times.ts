import type { ReadStep } from './protocol.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** For how long a person may send the same bytes after the first call, and a reading may settle it. Then people decide. */
const SETTLES_FOR_MS = 24 * HOUR;

/** How long after its last byte nothing can be bought with a payment link any more (document 2, Checkout session). */
export const LINK_LIVES_MS = 15 * MINUTE;

/** The step that reads at once. */
export function readNow({ now, firstSentAt }: { now: number; firstSentAt: number }): ReadStep {
  return { state: 'checking', readAt: now, settleUntil: firstSentAt + SETTLES_FOR_MS };
}

/** For how long an approval may be used, counted from when it was given. */
export const APPROVAL_VALID_MS = 24 * HOUR;

/** How long a press may be silent before its call counts as without an answer; a press waits for 20 s. */
export const PRESS_SILENT_MS = 60_000;

/** When a reading follows the newest call; then each hour. */
const READ_AFTER_MS = [0, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR] as const;

/** When the next reading follows one that settled nothing; never later than the end of the time in which readings decide. */
export function nextReadAt({ now, lastSentAt, settleUntil }: { now: number; lastSentAt: number; settleUntil: number }): number {
  const next = READ_AFTER_MS.map((after) => lastSentAt + after).find((time) => time > now) ?? now + HOUR;
  return Math.min(next, Math.max(settleUntil, now));
}
