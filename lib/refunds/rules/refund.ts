import type { ApprovalKind } from '#lib/approvals/rules/approval.ts';
import type { RefundEstimate } from './estimate.ts';
import type { RefundFacts } from './period.ts';
import type { StoredReceipt } from './receipt.ts';
import type { RefundReason } from './request.ts';
import type { AttentionReason, OutcomeSource, Proposal, RefundState } from './state.ts';

/** One refund without its timeline. Digests are hex. */
export interface Refund {
  refundId: number;
  state: RefundState;
  /** Invo confirmed that it processed it; Sharebook still checks it. */
  isProcessed: boolean;
  client_request_id: string;
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  reason_code: RefundReason;
  /** Free text, 1 to 500 characters; null: the text of the code is sent. */
  reason_text: string | null;
  facts: RefundFacts;
  estimate: RefundEstimate;
  contentDigest: string;
  requestedBy: InvolvedPerson;
  requestedAt: string;
  assignee: InvolvedPerson;
  /** It exceeded the requester's limit when requested. Another person approves it, whatever changes later. */
  needsSecondApprover: boolean;
  approval: ApprovalKind | null;
  approvedBy: InvolvedPerson | null;
  approvedAt: string | null;
  firstSentAt: string | null;
  attemptCount: number;
  nextCheckAt: string | null;
  lastErrorCode: string | null;
  lastErrorId: string | null;
  attentionReason: AttentionReason | null;
  proposal: Proposal | null;
  outcomeSource: OutcomeSource | null;
  transaction_id: string | null;
  receipt: StoredReceipt | null;
  /** Null: no pulled month reports it yet. */
  reversal: ReportedReversal | null;
  /** As Invo reported it last; null: not recorded. */
  playerName: string | null;
}

/** A person involved in a refund. */
interface InvolvedPerson {
  id: string;
  name: string;
}

/** The slice that reports the reversal of a refund. */
interface ReportedReversal {
  /** The first instant the slice covers. */
  windowStart: string;
  pulledAt: string;
}
