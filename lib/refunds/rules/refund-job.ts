import type { AttemptClass } from './classify-attempt.ts';
import type { RefundFacts } from './period-facts.ts';
import type { RefundState } from './refund-state.ts';

/** A refund as the one who works on it sees it. Times are milliseconds since 1970 by the clock of the store. */
export interface RefundJob {
  gameId: number;
  refundId: number;
  /** A step is taken only on the version it was decided on. */
  version: number;
  state: RefundState;
  stateSince: number;
  client_request_id: string;
  requestBytes: Buffer;
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  facts: RefundFacts;
  /** SHA-256 of what is asked for and of what was approved, computed from the row as it is now. */
  contentDigest: string;
  approvedDigest: string | null;
  baselineDigest: string;
  attempt_count: number;
  unanswered_count: number;
  firstSentAt: number | null;
  lastSentAt: number | null;
  approvedAt: number | null;
  /** Two people ordered one more call, and the refund is a full one: it may be sent after its day is over. */
  hasExtraCall: boolean;
  /** What the newest attempt came to; null when there was none, or it is not heard of. */
  lastClass: AttemptClass | null;
  transaction_id: string | null;
  endedAt: number | null;
}
