import type { AttemptClass, ObservedAnswer } from './attempt.ts';
import type { RefundAct } from './audit-actions.ts';
import type { Refund, RefundContent } from './refund.ts';
import type { AttentionReason, OutcomeSource, Proposal, RefundState } from './state.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts, StoredReceipt } from './stored.ts';

/** A refund as a worker sees it. Times are milliseconds since 1970 by the store's clock. */
export interface RefundJob
  extends Pick<
    Refund,
    'refundId' | 'state' | 'client_request_id' | 'subscription_id' | 'period_id' | 'period_seq' | 'amount_usd' | 'facts' | 'transaction_id'
  > {
  gameId: number;
  /** A step is stored only on the version it was decided for. */
  version: number;
  stateSince: number;
  /** The row's content as it is now; its digest must be the approved one. */
  content: RefundContent;
  /** Hex. */
  approvedDigest: string | null;
  baselineDigest: string;
  attempt_count: number;
  unanswered_count: number;
  firstSentAt: number | null;
  lastSentAt: number | null;
  approvedAt: number | null;
  /** Two people ordered one more call of a full refund: it may be sent after its day is over. */
  hasExtraCall: boolean;
  /** The class of the newest attempt; null when there was none, or it has no answer yet. */
  lastClass: AttemptClass | null;
  endedAt: number | null;
}

/** A complete answer, or what is known without one. */
export interface AttemptAnswer extends ObservedAnswer {
  errorId: string | null;
  retryAfterMs: number | null;
  /** Our code of the connection error; null when Invo answered. */
  transportError: string | null;
  storedReceipt: StoredReceipt | null;
  transaction_id: string | null;
  /** The inflated bytes of the answer; null when there are none to keep. */
  body: Buffer | null;
}

/** The changes of one step. Fields left out stay as they are. */
export interface RefundChange {
  state?: RefundState;
  /** When a worker checks it next, milliseconds since 1970; null: never. */
  checkAt?: number | null;
  unanswered_count?: number;
  attention_reason?: AttentionReason;
  proposal?: Proposal | null;
  outcome_source?: OutcomeSource;
  transaction_id?: string | null;
  receipt?: StoredReceipt;
  total_refunded_amount_usd?: string | null;
  last_error_code?: string | null;
  last_error_id?: string | null;
  /** The approval is void: it was given for other facts, or is a day old. */
  isApprovalVoid?: boolean;
  /** New facts for the next approval. */
  renewed?: RenewedFacts;
}

/** Fresh facts of a refund, with the digests that bind the next approval to them. */
export interface RenewedFacts {
  facts: RefundFacts;
  estimate: RefundEstimate;
  baseline_digest: Buffer;
  content_digest: Buffer;
}

/** Why an attempt couldn't start: refunds are paused, another refund of the subscription is being sent, or the refund moved on. */
export type NotBegun = 'paused' | 'busy' | 'moved_on';

/** The storage the protocol needs. Every call is one transaction, and every step writes its audit row. */
export interface RefundStore {
  /** The clock of the store. */
  now(): Promise<number>;
  /** Claims one due refund, so that no other worker sees it for a while. Null: none is due. */
  takeDue(): Promise<RefundJob | null>;
  /** Commits an attempt before its first byte is sent, and returns its number. */
  begin(job: RefundJob): Promise<{ attempt_no: number } | NotBegun>;
  /** Records the answer of an attempt and stores the step. An answer that arrives after the lease was lost is still recorded, and a landing still counts. */
  finish(job: RefundJob, attempt_no: number, attempt: { class: AttemptClass; answer: AttemptAnswer }, change: RefundChange): Promise<void>;
  /** Takes a step without an attempt; false when the refund has moved on. */
  move(job: RefundJob, action: RefundAct, change: RefundChange & { state: RefundState }): Promise<boolean>;
  /** Leaves the state, records the error if any, and checks again later. Not a step: writes no audit row. */
  postpone(job: RefundJob, checkAt: number, error?: { code: string; errorId: string | null }): Promise<void>;
  /** Stores a reading of the period. */
  storeReading(job: RefundJob, purpose: ReadPurpose, facts: PeriodFacts): Promise<void>;
  /** Transaction ids that belong to other refunds of this period. */
  listClaimed(job: RefundJob): Promise<string[]>;
  /** Whether a later refund of the period was sent and has no known transaction: what the period shows may belong to it. */
  hasRival(job: RefundJob): Promise<boolean>;
}

/** Why the period is read: before the first call, to find the outcome, or to complete a receipt. The SQL check of `refund_read.purpose` repeats the list. */
export const READ_PURPOSES = ['before', 'verify', 'rebuild'] as const;
export type ReadPurpose = (typeof READ_PURPOSES)[number];

/** Why Invo couldn't be read. */
export interface ReadError {
  /** Our code, as in `InvoErrorCode`. */
  error: string;
  errorId: string | null;
}

/** The calls to Invo the protocol needs. */
export interface RefundWire {
  /** Milliseconds to wait before the next refund call on the subscription; 0 uses the call. */
  takeCall(subscriptionId: string): Promise<number>;
  /** Sends exactly these bytes, once. Never throws for an Invo error. */
  send(subscriptionId: string, bytes: Buffer): Promise<AttemptAnswer>;
  /** Reads the period. An Invo error is returned, never thrown. */
  readPeriod(periodId: number): Promise<{ period: PeriodFacts } | ReadError>;
  /** Reads the period with wallet and access, for a new approval. */
  readFacts(periodId: number): Promise<{ facts: RefundFacts } | ReadError>;
}

/** Everything the protocol works with. `jitter` returns 0 up to 1; `businessNow` is the game's clock, for the month of a reversal. */
export interface RefundPorts {
  store: RefundStore;
  wire: RefundWire;
  jitter: () => number;
  businessNow: () => string;
  timeZone: string;
}
