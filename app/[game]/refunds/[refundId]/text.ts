import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '#lib/core/typed-text.ts';
import type { InvoErrorCode } from '#lib/invo/invo-error.ts';
import { sayRefusal } from '#lib/invo/refusals/refusal-sentences.ts';
import { withReference } from '#lib/invo/refusals/with-reference.ts';
import type { Approved } from '#lib/refunds/approve-refund.ts';
import type { Decided, Resolved } from '#lib/refunds/decide-refund.ts';
import { triesUntil } from '#lib/refunds/rules/retry-schedule.ts';
import { formatAttention } from '#lib/refunds/text.ts';

/** An error kept with a refund or one of its attempts: Invo's code, or ours where the call itself failed. */
export interface KeptError {
  errorCode: string;
  facts: Readonly<Record<string, unknown>>;
  errorId: string | null;
}

// Ours. Whether the attempt may have refunded is said beside it; here is only what happened.
const OWN_ERRORS: Readonly<Record<InvoErrorCode | 'sender_silent' | 'period_changed' | 'approval_lapsed', string>> = {
  unreachable: 'Couldn’t reach Invo, or the connection closed before the response was complete.',
  timeout: 'Invo didn’t respond in time.',
  malformed: 'Invo’s response couldn’t be read.',
  redirected:
    'Invo’s address redirects to another address. Nothing was sent there. Ask your Sharebook administrator to check the base URL.',
  too_large: 'Invo’s response was larger than Sharebook accepts.',
  aborted: 'The call was stopped before Invo responded.',
  unauthorized: 'Invo rejected the game secret. Ask your Sharebook administrator to correct it.',
  not_live: 'Invo reports that this game is neither live nor in testing. Correct its status in the Invo console.',
  rate_limited: 'Invo’s rate limit for this game was reached.',
  not_found: 'Invo doesn’t have this period in this game and environment.',
  rejected: 'Invo refused the request.',
  window_too_large: 'Invo’s response would exceed the size of one report.',
  upstream_fault: 'Invo failed on its side.',
  sender_silent: 'The process that sent this attempt stopped responding. Invo may have made the refund.',
  period_changed: 'The period changed at Invo after the refund was requested, so its approval no longer applies. Nothing was sent.',
  approval_lapsed: 'The refund couldn’t be made within a day of its approval, so the approval expired. No money moved.',
};

/** An error as a sentence, with the reference to quote where Invo gave one. */
export function formatKeptError({ errorCode, facts, errorId }: KeptError): string {
  return isOwn(errorCode) ? withReference(OWN_ERRORS[errorCode], errorId) : sayRefusal({ errorCode, facts, errorId });
}

function isOwn(code: string): code is keyof typeof OWN_ERRORS {
  return Object.hasOwn(OWN_ERRORS, code);
}

type Progress = Pick<
  RefundDetail,
  'state' | 'attemptCount' | 'firstSentAt' | 'approvedAt' | 'nextLookAt' | 'attentionReason' | 'lastErrorCode' | 'lastErrorId'
> & {
  /** Amounts Invo gave beside the last code. */
  lastFacts: Readonly<Record<string, unknown>>;
  isPaused: boolean;
};

/** What happened last and what happens next automatically, in the order it is read. */
export function formatProgress(refund: Progress): string[] {
  const { lastErrorCode: errorCode, lastFacts: facts, lastErrorId: errorId } = refund;
  const error = errorCode === null ? [] : [formatKeptError({ errorCode, facts, errorId })];
  switch (refund.state) {
    case 'approved':
    case 'waiting':
    case 'unknown':
      return [...error, formatAttempts(refund)];
    case 'verifying':
      return [...error, 'If the period doesn’t show the outcome within 45 minutes, two people must record it.'];
    case 'attention':
      return [formatAttention(refund.attentionReason), ...error];
    case 'awaiting_approval':
    case 'refused':
      return error;
    case 'sending':
    case 'landed':
    case 'not_landed':
    case 'rejected':
    case 'withdrawn':
      return [];
  }
}

function formatAttempts({ attemptCount, firstSentAt, approvedAt, nextLookAt, isPaused }: Progress): string {
  if (isPaused) return 'Refunds are paused. It is sent when they resume.';
  const attempts =
    attemptCount === 0 ? 'Nothing has been sent yet.' : `Sent ${attemptCount === 1 ? 'once' : `${attemptCount} times`} so far.`;
  const next = nextLookAt === null ? '' : ` Next attempt: ${formatUtc(nextLookAt, 'second')}.`;
  if (firstSentAt === null) return `${attempts}${next}`;
  const until = new Date(triesUntil(Date.parse(firstSentAt), approvedAt === null ? null : Date.parse(approvedAt))).toISOString();
  return `${attempts}${next} Retries end on ${formatUtc(until, 'second')}; after that Sharebook reads the period to check the outcome.`;
}

type DecisionRefusal = Exclude<Extract<Approved | Decided | Resolved, { ok: false }>['reason'], 'no_answer'>;

/** Why a decision about a refund was refused. */
export const DECISION_REFUSALS: Record<DecisionRefusal, string> = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  own_request: 'You requested this refund and it exceeds your auto-approval limit. Someone else must approve it.',
  moved_on: 'This refund changed in the meantime, so no changes were made. The page shows its current state.',
  changed: 'This refund changed since you opened the page, so it was not approved. Check the new figures and approve again.',
  impossible:
    'The period changed at Invo, and this refund is no longer possible. Reject or withdraw it, then request a new one for what remains.',
  wallet: 'Confirm the effect on the player’s wallet. The refund was not approved.',
  why_missing: 'Enter a reason for the requester.',
  why_too_long: `Use ${WHY_LENGTH_MAX} characters or fewer. No changes were made.`,
  text_missing: 'Enter what you checked and what you found. The second approver relies on it.',
  text_too_long: `Use ${OUTCOME_LENGTH_MAX} characters or fewer. No changes were made.`,
  already_proposed: 'Someone has already recorded an outcome. Confirm it, or reject it first.',
  reading_too_old:
    '“Not refunded” needs a reading of the period at least 30 minutes after the last attempt. “Refunded” needs a reading after the last attempt. Read the period again first.',
  too_late_to_send:
    'The first attempt was more than a day ago and Invo may have forgotten the key. A partial refund could then be made twice, so it is not sent again.',
  same_person: 'You recorded this outcome. A second approver must confirm it.',
};
