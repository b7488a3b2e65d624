import type { Selectable } from 'kysely';
import type { RefundTable } from '#db/types.ts';
import { knownWordOrNull } from '#lib/core/parse-enum.ts';
import { ATTEMPT_CLASSES } from '#lib/refunds/rules/attempt.ts';
import type { RefundJob } from '#lib/refunds/rules/ports.ts';
import { stateOf } from '#lib/refunds/rules/state.ts';
import { parseStoredEstimate, parseStoredFacts } from '#lib/refunds/rules/stored.ts';

/** The columns of `refund` a worker needs, with the game's environment; times as they are stored. */
export const JOB_COLUMNS = `refund.*, (select environment from game where game.game_id = refund.game_id) as environment,
  (select class from refund_attempt tried where tried.game_id = refund.game_id and tried.refund_id = refund.refund_id order by attempt_no desc limit 1) as last_class`;

/** A row of `refund`, read with its environment. */
export type JobRow = Selectable<RefundTable> & { environment: string; last_class: string | null };

/** Parses a row as a job. Its content is the row as it is now, so that the sender detects a row altered by hand. */
export function readJob(row: JobRow): RefundJob {
  const { client_request_id, subscription_id, period_id, period_seq, amount_usd } = row;
  return {
    gameId: row.game_id,
    refundId: row.refund_id,
    version: row.version,
    state: stateOf(row.state),
    stateSince: Date.parse(row.state_since),
    client_request_id,
    subscription_id,
    period_id,
    period_seq,
    amount_usd,
    facts: parseStoredFacts(row.facts),
    content: row,
    approvedDigest: row.approved_digest?.toString('hex') ?? null,
    baselineDigest: row.baseline_digest.toString('hex'),
    attempt_count: row.attempt_count,
    unanswered_count: row.unanswered_count,
    firstSentAt: timeOf(row.first_sent_at),
    lastSentAt: timeOf(row.last_sent_at),
    approvedAt: timeOf(row.approved_at),
    hasExtraCall: row.extra_call_count > 0 && parseStoredEstimate(row.estimate).is_full_refund,
    lastClass: knownWordOrNull(ATTEMPT_CLASSES, row.last_class),
    transaction_id: row.transaction_id,
    endedAt: timeOf(row.ended_at),
  };
}

function timeOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
