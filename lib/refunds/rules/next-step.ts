import { hasLapsed } from '#lib/approvals/rules/approval.ts';
import { type AttemptClass, UNANSWERED_CLASSES } from './attempt.ts';
import type { RefundJob } from './ports.ts';
import type { AttentionReason, RefundState } from './state.ts';

/** What the next step depends on. `approvedAt`: when it was approved, else when it entered its state. */
export interface SendingStatus extends Pick<RefundJob, 'attempt_count' | 'unanswered_count' | 'firstSentAt' | 'hasExtraCall'> {
  approvedAt: number;
}

/** What the next step of this refund depends on. */
export function sendingStatusOf(job: RefundJob): SendingStatus {
  return { ...job, approvedAt: job.approvedAt ?? job.stateSince };
}

/** The next state of a refund. `checkAt`: when a worker checks it again; null when only a person can continue it. */
export interface NextStep {
  state: RefundState;
  unanswered_count: number;
  checkAt: number | null;
  attention_reason: AttentionReason | null;
}

/**
 * The next state after one attempt. Only a refusal of the very first call is final. After a call that may have been executed, or that a
 * network may deliver twice, a 4xx proves nothing, and the period is read instead.
 */
export function stepAfterAttempt(status: SendingStatus, attempt: EndedAttempt): NextStep {
  const unanswered_count = status.unanswered_count + (UNANSWERED_CLASSES.has(attempt.class) ? 1 : 0);
  const step = (state: RefundState, checkAt: number | null, attention_reason: AttentionReason | null = null): NextStep => ({
    state,
    unanswered_count,
    checkAt,
    attention_reason,
  });
  switch (attempt.class) {
    case 'landed':
    case 'replayed':
      return { ...step('landed', null), unanswered_count: 0 };
    case 'reduced':
      // An answer without amounts counts once the period shows the refund, which also fills the receipt.
      return step('verifying', attempt.now);
    case 'refused':
      return unanswered_count === 0 && status.attempt_count <= 1 ? step('refused', null) : step('verifying', attempt.now);
    case 'attention':
      return step('attention', null, 'invo_asks_for_a_person');
    case 'contradiction':
      return step('attention', null, 'receipt_contradicts');
    case 'wait':
    case 'no_access':
    case 'not_sent':
      return step(unanswered_count === 0 ? 'waiting' : 'unknown', nextCall(status, attempt));
    case 'retry':
    case 'paused':
    case 'no_answer':
      return step('unknown', nextCall(status, attempt));
  }
}

/**
 * What to do with a due refund: send it, ask for approval again (nothing was executed and the approval is a day old), or stop sending and
 * read the period.
 */
export function stepBeforeAttempt(status: SendingStatus, now: number): 'send' | 'ask_again' | 'verify' {
  const { hasExtraCall, firstSentAt, approvedAt } = status;
  if (hasExtraCall || !hasLapsed(Math.max(firstSentAt ?? 0, approvedAt), now, RETRY_FOR_MS)) return 'send';
  return status.unanswered_count === 0 ? 'ask_again' : 'verify';
}

/** An attempt that ended; `now` in milliseconds since 1970, `jitter` 0 up to 1. */
type EndedAttempt = { class: AttemptClass; retryAfterMs: number | null; now: number; jitter: number };

function nextCall({ attempt_count, firstSentAt, approvedAt }: SendingStatus, attempt: EndedAttempt): number {
  const isPaused = attempt.class === 'paused' || attempt.class === 'no_access';
  const waited = retryAfter({ ...attempt, attempt_count, isPaused });
  return Math.min(attempt.now + waited, Math.max(triesUntil(firstSentAt, approvedAt), attempt.now));
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * A refund is sent automatically for this long after its first call. Invo doesn't state how long it remembers a key; a day counts as
 * safe. A call may be delayed in the network, so the last one leaves half an hour before the day ends.
 */
export const RETRY_FOR_MS = 24 * HOUR - 30 * MINUTE;

/** When automatic sending ends, in milliseconds since 1970: counted from the first call, or from a later approval. */
export function triesUntil(firstSentAt: number | null, approvedAt: number | null): number {
  return Math.max(firstSentAt ?? 0, approvedAt ?? 0) + RETRY_FOR_MS;
}

/** How soon a period is read again after a failed or inconclusive reading, in milliseconds, by purpose. */
export const READ_AGAIN_MS = { before: 30 * SECOND, verify: MINUTE, rebuild: 5 * MINUTE } as const;

/** A reading of the period proves nothing about a call more recent than this. */
export const SETTLES_AFTER_MS = 30 * MINUTE;

const STEPS_MS = [2 * SECOND, 10 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR] as const;
const LATER_MS = 3 * HOUR;
const PAUSED_MIN_MS = 5 * MINUTE;
const WAIT_MIN_MS = 3 * SECOND;

/**
 * How long to wait before the same request is sent again, in milliseconds: 2 s, 10 s, 30 s, 2, 5, 15, 30 minutes, 1 and 2 hours, then
 * every 3 hours, spread between half and all of that (`jitter` is 0 up to 1). Never sooner than Invo requests, and at least 5 minutes when paused.
 */
export function retryAfter(tried: { attempt_count: number; isPaused: boolean; retryAfterMs: number | null; jitter: number }): number {
  const step = STEPS_MS[Math.max(0, tried.attempt_count - 1)] ?? LATER_MS;
  const spread = Math.round(step / 2 + (step / 2) * tried.jitter);
  const requested = tried.retryAfterMs === null ? 0 : Math.max(tried.retryAfterMs, WAIT_MIN_MS);
  return Math.max(spread, requested, tried.isPaused ? PAUSED_MIN_MS : 0);
}
