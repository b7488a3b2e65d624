import type { AttentionReason } from './attention-reasons.ts';
import type { AttemptClass, Observed } from './classify-attempt.ts';
import type { KeptReceipt } from './compare-receipt.ts';
import type { RefundEstimate } from './estimate-refund.ts';
import type { PeriodFacts, RefundFacts } from './period-facts.ts';
import type { RefundJob } from './refund-job.ts';
import type { OutcomeSource, Proposal } from './refund-outcome.ts';
import type { RefundState } from './refund-state.ts';

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
  attention_reason?: AttentionReason;
  proposal?: Proposal | null;
  outcome_source?: OutcomeSource;
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

/** What the protocol asks of whoever keeps the refunds. Every call is one transaction, and every step has its audit row. */
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
  move(job: RefundJob, act: string, change: RefundChange & { state: RefundState }): Promise<boolean>;
  /** Leaves it where it is and looks again later, with the trouble that was met; it is no step and leaves no audit row. */
  postpone(job: RefundJob, lookAt: number, trouble?: { code: string; errorId: string | null }): Promise<void>;
  /** Keeps a reading of the period. */
  keepRead(job: RefundJob, purpose: ReadPurpose, facts: PeriodFacts): Promise<void>;
  /** Transaction ids that other refunds of this period account for. */
  listClaimed(job: RefundJob): Promise<string[]>;
  /** Whether a later refund of the period was sent whose transaction is not known: what the period shows may be that one's. */
  hasRival(job: RefundJob): Promise<boolean>;
}

/** What a reading of the period is for: before the first call, to find out what happened, or to complete a reduced receipt. */
export const READ_PURPOSES = ['before', 'verify', 'rebuild'] as const;
export type ReadPurpose = (typeof READ_PURPOSES)[number];

/** Why Invo could not be read: our name for the trouble. */
export interface WireTrouble {
  trouble: string;
  errorId: string | null;
}

/** The road to Invo as the protocol needs it. */
export interface RefundWire {
  /** Milliseconds to wait before a refund call on the subscription may be made; 0 takes the call. */
  takeCall(subscriptionId: string): Promise<number>;
  /** Sends exactly these bytes, once. Never throws for trouble with Invo. */
  send(subscriptionId: string, bytes: Buffer): Promise<AttemptAnswer>;
  /** Reads the period; an answer that cannot be had is a trouble, never an exception. */
  readPeriod(periodId: number): Promise<{ period: PeriodFacts } | WireTrouble>;
  /** Reads the period with what surrounds it, for people to decide on anew. */
  readFacts(periodId: number): Promise<{ facts: RefundFacts } | WireTrouble>;
}

/** What the protocol works with. `jitter` is 0 up to 1; `businessNow` is the game's clock, for the month a reversal lands in. */
export interface RefundPorts {
  store: RefundStore;
  wire: RefundWire;
  jitter: () => number;
  businessNow: () => string;
  timeZone: string;
}
