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
