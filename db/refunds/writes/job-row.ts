import type { Selectable } from 'kysely';
import type { RefundTable } from '#db/types.ts';
import { knownWordOrNull } from '#lib/core/parse-enum.ts';
import { ATTEMPT_CLASSES } from '#lib/refunds/rules/classify-attempt.ts';
import type { RefundEstimate } from '#lib/refunds/rules/estimate-refund.ts';
import type { RefundFacts } from '#lib/refunds/rules/period-facts.ts';
import type { RefundJob } from '#lib/refunds/rules/refund-job.ts';
import { digestContent } from '#lib/refunds/rules/refund-request.ts';
import { stateOf } from '#lib/refunds/rules/refund-state.ts';

/** The columns of `refund` a worker needs, with the game's environment; times as they are stored. */
export const JOB_COLUMNS = `refund.*, (select environment from game where game.game_id = refund.game_id) as environment,
  (select class from refund_attempt tried where tried.game_id = refund.game_id and tried.refund_id = refund.refund_id order by attempt_no desc limit 1) as last_class`;

/** A row of `refund`, read with its environment. */
export type JobRow = Selectable<RefundTable> & { environment: string; last_class: string | null };

/** Reads a row as a job. The digest of its content is computed from the row as it is now, so that a row altered by hand is noticed. */
export function readJob(row: JobRow): RefundJob {
  const { client_request_id, subscription_id, period_id, period_seq, amount_usd } = row;
  return {
    gameId: row.game_id,
    refundId: row.refund_id,
    version: row.version,
    state: stateOf(row.state),
    stateSince: Date.parse(row.state_since),
    client_request_id,
    requestBytes: row.request_bytes,
    subscription_id,
    period_id,
    period_seq,
    amount_usd,
    facts: row.facts as RefundFacts,
    contentDigest: digestContent(row, row).toString('hex'),
    approvedDigest: row.approved_digest?.toString('hex') ?? null,
    baselineDigest: row.baseline_digest.toString('hex'),
    attempt_count: row.attempt_count,
    unanswered_count: row.unanswered_count,
    firstSentAt: timeOf(row.first_sent_at),
    lastSentAt: timeOf(row.last_sent_at),
    approvedAt: timeOf(row.approved_at),
    hasExtraCall: row.extra_call_count > 0 && (row.estimate as RefundEstimate).is_full_refund,
    lastClass: knownWordOrNull(ATTEMPT_CLASSES, row.last_class),
    transaction_id: row.transaction_id,
    endedAt: timeOf(row.ended_at),
  };
}

function timeOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
