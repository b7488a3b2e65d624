import { formatUtc } from '#app/_ui/figures/format.ts';
import { APPROVER_TEXT } from '#lib/approvals/text.ts';
import { OUTCOME_LENGTH_MAX, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { formatAttemptError } from '#lib/invo/text.ts';
import type { ApprovalResult, DeclineResult } from '#lib/refunds/approve-refund.ts';
import type { OutcomeResult } from '#lib/refunds/record-outcome.ts';
import { triesUntil } from '#lib/refunds/rules/next-step.ts';
import type { Refund } from '#lib/refunds/rules/refund.ts';
import { formatAttention } from '#lib/refunds/text.ts';

type Progress = Pick<
  Refund,
  | 'state'
  | 'isProcessed'
  | 'attemptCount'
  | 'firstSentAt'
  | 'approvedAt'
  | 'nextCheckAt'
  | 'attentionReason'
  | 'lastErrorCode'
  | 'lastErrorId'
> & {
  /** Amounts Invo gave beside the last code. */
  lastFacts: Readonly<Record<string, unknown>>;
  /** The newest reading shows that the period's refunded amount rose by exactly the amount of this refund. */
  hasRisen: boolean;
  isPaused: boolean;
};

/** What happened last and what happens next automatically, in the order it is read. */
export function formatProgress(refund: Progress): string[] {
  const { lastErrorCode: errorCode, lastFacts: facts, lastErrorId: errorId } = refund;
  const error = errorCode === null ? [] : [formatAttemptError({ errorCode, facts, errorId })];
  switch (refund.state) {
    case 'approved':
    case 'waiting':
    case 'unknown':
      return [...error, formatAttempts(refund)];
    case 'verifying':
      return [
        ...error,
        ...(refund.isProcessed && refund.hasRisen ? ['The refunded amount of the period rose by exactly the amount of this refund.'] : []),
        'If the period doesn’t show the outcome within 45 minutes, two people must record it.',
      ];
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

function formatAttempts({ attemptCount, firstSentAt, approvedAt, nextCheckAt, isPaused }: Progress): string {
  if (isPaused) return 'Refunds are paused. It is sent when they resume.';
  const attempts =
    attemptCount === 0 ? 'Nothing has been sent yet.' : `Sent ${attemptCount === 1 ? 'once' : `${attemptCount} times`} so far.`;
  const next = nextCheckAt === null ? '' : ` Next attempt: ${formatUtc(nextCheckAt, 'second')}.`;
  if (firstSentAt === null) return `${attempts}${next}`;
  const until = new Date(triesUntil(Date.parse(firstSentAt), approvedAt === null ? null : Date.parse(approvedAt))).toISOString();
  return `${attempts}${next} Retries end on ${formatUtc(until, 'second')}; after that Sharebook reads the period to check the outcome.`;
}

type DecisionRefusal = Exclude<Extract<ApprovalResult | DeclineResult | OutcomeResult, { ok: false }>['reason'], 'no_answer'>;

/** Why a decision about a refund was refused. */
export const DECISION_REFUSALS: Record<DecisionRefusal, string> = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  own_request: 'You requested this refund and it exceeds your auto-approval limit. Someone else must approve it.',
  ...APPROVER_TEXT,
  moved_on: 'This refund changed in the meantime, so no changes were made. The page shows its current state.',
  changed: 'This refund changed since you opened the page, so it was not approved. Check the new figures and approve again.',
  impossible:
    'The period changed at Invo, and this refund is no longer possible. Reject or withdraw it, then request a new one for what remains.',
  risk: 'Confirm the effect on the wallet or the dispute. The refund was not approved.',
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
