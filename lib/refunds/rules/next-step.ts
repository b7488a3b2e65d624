import type { AttentionReason } from './attention-reasons.ts';
import { type AttemptClass, UNANSWERED_CLASSES } from './classify-attempt.ts';
import type { RefundJob } from './refund-job.ts';
import type { RefundState } from './refund-state.ts';
import { retryAfter, triesUntil } from './retry-schedule.ts';

/** What the next step depends on; instants are milliseconds since 1970. */
export interface RefundStanding {
  attempt_count: number;
  /** Earlier attempts that may have been executed without our knowing. */
  unanswered_count: number;
  /** Null: nothing was ever sent. */
  firstSentAt: number | null;
  approvedAt: number;
  /** Two people ordered one more call of a full refund: safe whatever the time, since a second one would find nothing left. */
  hasExtraCall: boolean;
}

/** What the next step of a refund depends on. */
export function standingOf(job: RefundJob): RefundStanding {
  const { attempt_count, unanswered_count, firstSentAt, hasExtraCall } = job;
  return { attempt_count, unanswered_count, firstSentAt, hasExtraCall, approvedAt: job.approvedAt ?? job.stateSince };
}

/** Where a refund goes next; `lookAt` is when a worker looks at it again, null when only a person can move it. */
export interface NextStep {
  state: RefundState;
  unanswered_count: number;
  lookAt: number | null;
  attention_reason: AttentionReason | null;
}

/**
 * Where a refund goes after one attempt. Only a refusal of the very first call ends it: after one that may have been executed, or that a
 * network may deliver again, a 4xx is no proof, and the period is read instead.
 */
export function stepAfterAttempt(
  standing: RefundStanding,
  attempt: { class: AttemptClass; retryAfterMs: number | null; now: number; jitter: number },
): NextStep {
  const unanswered_count = standing.unanswered_count + (UNANSWERED_CLASSES.has(attempt.class) ? 1 : 0);
  const step = (state: RefundState, lookAt: number | null, attention_reason: AttentionReason | null = null): NextStep => ({
    state,
    unanswered_count,
    lookAt,
    attention_reason,
  });
  switch (attempt.class) {
    case 'landed':
    case 'replayed':
      return { ...step('landed', null), unanswered_count: 0 };
    case 'reduced':
      // Invo's word without an amount: it counts once the period shows the refund, which also fills the receipt.
      return step('verifying', attempt.now);
    case 'refused':
      return unanswered_count === 0 && standing.attempt_count <= 1 ? step('refused', null) : step('verifying', attempt.now);
    case 'attention':
      return step('attention', null, 'invo_asks_for_a_person');
    case 'contradiction':
      return step('attention', null, 'receipt_contradicts');
    case 'wait':
    case 'no_access':
    case 'not_sent':
      return step(unanswered_count === 0 ? 'waiting' : 'unknown', nextCall(standing, attempt));
    case 'retry':
    case 'paused':
    case 'no_answer':
      return step('unknown', nextCall(standing, attempt));
  }
}

/**
 * What is to be done with a refund whose time has come: send it, ask for approval again (nothing was ever executed and the approval is a
 * day old), or stop sending and read the period.
 */
export function stepBeforeAttempt(standing: RefundStanding, now: number): 'send' | 'ask_again' | 'verify' {
  if (standing.hasExtraCall || now < deadlineOf(standing)) return 'send';
  return standing.unanswered_count === 0 ? 'ask_again' : 'verify';
}

function nextCall(
  standing: RefundStanding,
  attempt: { class: AttemptClass; retryAfterMs: number | null; now: number; jitter: number },
): number {
  const isPaused = attempt.class === 'paused' || attempt.class === 'no_access';
  const waited = retryAfter({
    attempt_count: standing.attempt_count,
    isPaused,
    retryAfterMs: attempt.retryAfterMs,
    jitter: attempt.jitter,
  });
  return Math.min(attempt.now + waited, Math.max(deadlineOf(standing), attempt.now));
}

function deadlineOf({ firstSentAt, approvedAt }: RefundStanding): number {
  return triesUntil(firstSentAt, approvedAt);
}
