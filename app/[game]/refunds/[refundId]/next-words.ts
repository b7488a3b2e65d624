import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { sayAttention } from '#app/[game]/_refunds/words/attention-words.ts';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { formatAttemptError } from '#lib/invo/text.ts';
import { triesUntil } from '#lib/refunds/rules/retry-schedule.ts';

type Standing = Pick<
  RefundDetail,
  'state' | 'attemptCount' | 'firstSentAt' | 'approvedAt' | 'nextLookAt' | 'attentionReason' | 'lastErrorCode' | 'lastErrorId'
> & {
  /** Amounts Invo gave beside the last code. */
  lastFacts: Readonly<Record<string, unknown>>;
  isStopped: boolean;
};

/** What was met last and what happens next by itself, in sentences, in the order they are read. */
export function sayNext(refund: Standing): string[] {
  const trouble =
    refund.lastErrorCode === null
      ? []
      : [formatAttemptError({ errorCode: refund.lastErrorCode, facts: refund.lastFacts, errorId: refund.lastErrorId })];
  switch (refund.state) {
    case 'approved':
    case 'waiting':
    case 'unknown':
      return [...trouble, ...sayTries(refund)];
    case 'verifying':
      return [...trouble, 'If reading the period does not tell within three quarters of an hour, two people are asked.'];
    case 'attention':
      return [sayAttention(refund.attentionReason), ...trouble];
    case 'awaiting_approval':
    case 'refused':
      return trouble;
    case 'sending':
    case 'landed':
    case 'not_landed':
    case 'rejected':
    case 'withdrawn':
      return [];
  }
}

function sayTries({ attemptCount, firstSentAt, approvedAt, nextLookAt, isStopped }: Standing): string[] {
  if (isStopped) return ['Refunds are stopped: it is not sent before that is lifted.'];
  const tries = attemptCount === 0 ? 'Nothing was sent yet.' : `Sent ${attemptCount === 1 ? 'once' : `${attemptCount} times`} so far.`;
  const next = nextLookAt === null ? '' : ` Next try at ${clock(nextLookAt)}.`;
  const until =
    firstSentAt === null
      ? ''
      : ` It is tried until ${clock(new Date(triesUntil(Date.parse(firstSentAt), approvedAt === null ? null : Date.parse(approvedAt))).toISOString())}; then the period is read, and people look.`;
  return [`${tries}${next}${until}`];
}

function clock(instant: string): string {
  return formatUtc(instant, 'second');
}
