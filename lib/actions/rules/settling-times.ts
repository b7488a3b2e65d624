import { RETRY_FOR_MS, retryAfter } from '#lib/refunds/rules/next-step.ts';
import type { ReadingKind } from './action-facts.ts';
import type { AnswerClass, ReadStep, SendingStatus, SendStep } from './protocol.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** For how long a person may send the same bytes after the first call, and a reading may settle it. Then people decide. */
const SETTLES_FOR_MS = 24 * HOUR;

/** How long after its last byte nothing can be bought with a payment link any more (document 2, Checkout session). */
const LINK_LIVES_MS = 15 * MINUTE;

/** How long after its call was stored a link has certainly ended: a press waits less than a minute for it. */
export const LINK_ENDS_MS = LINK_LIVES_MS + MINUTE;

/** For how long the order of a purchase may settle it: one that never reached the processor fails within a day (document 2, Purchase and card errors). */
export const PURCHASE_SETTLES_FOR_MS = 24.5 * HOUR;

/** The step that reads at once. */
export function readNow({ now, firstSentAt }: { now: number; firstSentAt: number }, settlesFor_ms = SETTLES_FOR_MS): ReadStep {
  return { state: 'checking', readAt: now, settleUntil: firstSentAt + settlesFor_ms };
}

/** The step that reads only while a person looks; a day later people decide. */
export function readWhilePeopleLook({ firstSentAt }: { firstSentAt: number }): ReadStep {
  return { state: 'checking', readAt: firstSentAt + SETTLES_FOR_MS, settleUntil: firstSentAt + SETTLES_FOR_MS };
}

/** For how long a start that nobody answered for is read; Invo's windows for an approval end before (document 3, Limits). */
const START_SETTLES_FOR_MS = 15 * MINUTE;

/** The step that reads until people decide about a start whose answer was lost; meanwhile a person may send the same bytes again. */
export function readUntilPeopleDecide({ now, firstSentAt }: { now: number; firstSentAt: number }): ReadStep {
  return { state: 'checking', readAt: now, settleUntil: firstSentAt + START_SETTLES_FOR_MS };
}

/** How long after the end of its window the status of a transaction says what became of it. */
const AFTER_WINDOW_MS = 15 * MINUTE;

/** When a start whose phone never approved has ended: a while after its window. Invo reports no window of some: then after a day. */
export function followAt({ stateSince, waitsUntil }: { stateSince: number; waitsUntil: number | null }): number {
  return waitsUntil === null ? stateSince + SETTLES_FOR_MS : waitsUntil + AFTER_WINDOW_MS;
}

/** How soon a start that waits for a guardian, or whose window Invo doesn't report, is read again while nobody looks. */
export const STATUS_AGAIN_MS = 5 * MINUTE;

/** The step that reads the status to the end of the window that Invo reported and a while longer. */
export function readThroughWindow({
  now,
  firstSentAt,
  windowEndsAt,
}: {
  now: number;
  firstSentAt: number;
  windowEndsAt?: number;
}): ReadStep {
  return { state: 'checking', readAt: now, settleUntil: (windowEndsAt ?? firstSentAt + START_SETTLES_FOR_MS) + AFTER_WINDOW_MS };
}

/** How long after the call a reward that is still unlocked was not redeemed by it. */
export const REDEEM_SETTLED_MS = 30 * MINUTE;

/** For how long an approval may be used, counted from when it was given. */
export const APPROVAL_VALID_MS = 24 * HOUR;

/** How long a press may be silent before its call counts as without an answer; a press waits for 20 s. */
export const PRESS_SILENT_MS = 60_000;

/** When a reading follows the newest call; then each half hour. */
const READ_AFTER_MS = [0, 30_000, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE] as const;

/** How long after the call a transfer that still waits to be collected was not collected by it. */
export const COLLECTION_SETTLED_MS = 30 * MINUTE;

/** What the next reading depends on. Times are milliseconds since 1970. */
interface ReadTimes {
  now: number;
  lastSentAt: number;
  settleUntil: number;
}

/** When the next reading follows one that settled nothing; never later than the end of the time in which readings decide. A transfer's status is read often. */
export function nextReadAt({ now, lastSentAt, settleUntil }: ReadTimes, reading: ReadingKind | null = null): number {
  const ofTransfer = now + (now - lastSentAt < COLLECTION_SETTLED_MS ? 30_000 : 10 * MINUTE);
  const ofOthers = READ_AFTER_MS.map((after) => lastSentAt + after).find((time) => time > now) ?? now + HOUR / 2;
  const next = reading === 'status' ? ofTransfer : ofOthers;
  return Math.min(next, Math.max(settleUntil, now));
}

/** When the wallet is read after an action that moved coins. */
const WALLET_AFTER_MS = [10_000, MINUTE, 5 * MINUTE] as const;

/** A reading this early counts as on time: the end of an action is stored a moment after it is known. */
const ON_TIME_MS = 1_000;

/** When the wallet is read next after an action that was done at `doneAt`; null: never. */
export function nextWalletAt({ now, doneAt }: { now: number; doneAt: number }): number | null {
  return WALLET_AFTER_MS.map((after) => doneAt + after).find((time) => time > now + ON_TIME_MS) ?? null;
}

/** How long the worker may be silent before its call counts as without an answer; it waits for 45 s. */
export const WORKER_SILENT_MS = 120_000;

/** How soon what an action depends on is read again when Invo couldn't be read. */
export const READ_BEFORE_MS = 30_000;

/** Until when the worker sends the same bytes: counted from the first call, or from a later approval. */
export function sendsUntil({ firstSentAt, approvedAt }: { firstSentAt: number | null; approvedAt: number | null }): number {
  return Math.max(firstSentAt ?? 0, approvedAt ?? 0) + RETRY_FOR_MS;
}

/** When the worker sends the same bytes again after an answer, never later than the end of the time in which it may. `jitter` is 0 up to 1. */
export function sendAgainAt(tried: {
  now: number;
  until: number;
  attempt_count: number;
  status: number | null;
  retryAfterMs: number | null;
  jitter: number;
}): number {
  const isPaused = tried.status === 401 || tried.status === 403;
  return Math.min(tried.now + retryAfter({ ...tried, isPaused }), Math.max(tried.until, tried.now));
}

/** The step of a kind that is sent once: a refusal executed nothing, and what a whole answer leaves open is read. */
export function onceStep(
  answer: AnswerClass,
  reads: ReadStep,
): ReadStep | { state: 'done' | 'refused' } | { state: 'attention'; reason: 'answer_contradicts' } {
  switch (answer) {
    case 'done':
    case 'replayed':
      return { state: 'done' };
    case 'refused':
    case 'not_now':
      return { state: 'refused' };
    case 'contradiction':
      return { state: 'attention', reason: 'answer_contradicts' };
    case 'started':
    case 'open':
    case 'no_answer':
      return reads;
  }
}

/** The step of a kind that is sent once and whose outcome time decides: what Invo may have made can't be used a while later. */
export function lapsingStep(
  answer: AnswerClass,
  { now }: Pick<SendingStatus, 'now'>,
): { state: 'done' | 'refused' } | { state: 'unknown'; settleUntil: number } {
  switch (answer) {
    case 'done':
      return { state: 'done' };
    case 'refused':
    case 'not_now':
      return { state: 'refused' };
    case 'replayed':
    case 'started':
    case 'open':
    case 'no_answer':
    case 'contradiction':
      return { state: 'unknown', settleUntil: now + LINK_LIVES_MS };
  }
}

/**
 * The step of a kind that the worker repeats. Only the first certain refusal ends it: after a call that Invo may have executed, a refusal proves nothing
 * and the same bytes are sent again.
 */
export function repeatStep(
  answer: AnswerClass,
  { unanswered_count, sendAt }: SendingStatus,
): SendStep | { state: 'done' | 'refused' } | { state: 'attention'; reason: 'answer_contradicts' } {
  switch (answer) {
    case 'done':
    case 'replayed':
      return { state: 'done' };
    case 'contradiction':
      return { state: 'attention', reason: 'answer_contradicts' };
    case 'refused':
      return unanswered_count === 0 ? { state: 'refused' } : { state: 'unknown', sendAt };
    case 'not_now':
      return { state: unanswered_count === 0 ? 'waiting' : 'unknown', sendAt };
    case 'started':
    case 'open':
    case 'no_answer':
      return { state: 'unknown', sendAt };
  }
}
