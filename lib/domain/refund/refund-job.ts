import type { AttemptClass, Observed } from './classify-attempt.ts';
import type { KeptReceipt } from './compare-receipt.ts';
import type { RefundEstimate } from './estimate-refund.ts';
import type { PeriodFacts, RefundFacts } from './period-facts.ts';
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

/** A whole answer, or what is known when there was none. */
export interface AttemptAnswer extends Observed {
  errorId: string | null;
  retryAfterMs: number | null;
  /** Our name for trouble on the road; null when Invo answered. */
  trouble: string | null;
  keptReceipt: KeptReceipt | null;
  transaction_id: string | null;
  /** The inflated bytes of the answer; null when there are none to keep. */
  body: Buffer | null;
}

/** What one step changes. Left out: stays as it is. */
export interface RefundChange {
  state?: RefundState;
  /** Milliseconds since 1970, null: no worker looks at it any more. */
  lookAt?: number | null;
  unanswered_count?: number;
  attention_reason?: string | null;
  proposal?: 'landed' | 'not_landed' | null;
  outcome_source?: 'receipt' | 'replay' | 'reduced' | 'conflict_replay' | 'people';
  transaction_id?: string | null;
  receipt?: KeptReceipt;
  total_refunded_amount_usd?: string | null;
  last_error_code?: string | null;
  last_error_id?: string | null;
  /** The approval no longer stands: it was given for other facts, or is a day old. */
  isApprovalVoid?: boolean;
  /** New facts for the next approval. */
  renewed?: { facts: RefundFacts; estimate: RefundEstimate };
}

/** How an attempt could not begin: refunds are stopped, another of this subscription is being sent, or the refund moved on. */
export type NotBegun = 'stopped' | 'busy' | 'moved_on';

/** What the protocol asks of whoever keeps the refunds. Every call is one transaction, with its audit row. */
export interface RefundStore {
  /** The clock of the store. */
  now(): Promise<number>;
  /** Takes one refund whose time has come, so that nobody else looks at it for a while. Null: there is none. */
  takeDue(): Promise<RefundJob | null>;
  /** Commits an attempt before its first byte is sent, and answers its number. */
  begin(job: RefundJob): Promise<{ attempt_no: number } | NotBegun>;
  /** Records what became of an attempt and takes the step. An answer that comes after the lease was lost is still recorded, and a landing still counts. */
  finish(job: RefundJob, attempt_no: number, attempt: { class: AttemptClass; answer: AttemptAnswer }, change: RefundChange): Promise<void>;
  /** Takes a step without an attempt; false when the refund moved on meanwhile. */
  move(job: RefundJob, act: string, change: RefundChange): Promise<boolean>;
  /** Keeps a reading of the period. */
  keepRead(job: RefundJob, purpose: 'before' | 'verify' | 'rebuild', facts: PeriodFacts): Promise<void>;
  /** Transaction ids that other refunds of this period account for. */
  listClaimed(job: RefundJob): Promise<string[]>;
}
