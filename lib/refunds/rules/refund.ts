import type { ApprovalKind } from '#lib/approvals/rules/approval.ts';
import type { AttentionReason, OutcomeSource, Proposal, RefundState } from './state.ts';
import type { RefundEstimate, RefundFacts, StoredReceipt } from './stored.ts';

/** One refund without its timeline. Digests are hex. */
export interface Refund extends RefundRequest {
  refundId: number;
  state: RefundState;
  /** Invo confirmed that it processed it; Sharebook still checks it. */
  isProcessed: boolean;
  client_request_id: string;
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

/** Why a player is refunded. The code is stored and counted; its text is sent to Invo when the requester wrote none. */
export const REFUND_REASONS = {
  requested_by_player: 'Requested by the player',
  charged_by_mistake: 'Charged by mistake',
  duplicate_charge: 'Charged twice',
  not_delivered: 'The benefits were not delivered',
  quality: 'The service did not work as promised',
  fraud: 'The card holder did not buy it',
  goodwill: 'Goodwill',
  other: 'Another reason',
} as const;
export type RefundReason = keyof typeof REFUND_REASONS;

/** The reason code a row holds. Throws for one that is not on the list. */
export function reasonOf(text: string): RefundReason {
  const reason = parseRefundReason(text);
  if (reason === null) throw new Error(`stored refund reason "${text}" is not on the list`);
  return reason;
}

/** Parses a reason code; null for any other value. */
export function parseRefundReason(text: unknown): RefundReason | null {
  return Object.keys(REFUND_REASONS).find((reason): reason is RefundReason => reason === text) ?? null;
}

/** A submitted form. `draftId` was created with it; `baseline` is the digest of the facts it showed. */
export interface RefundForm {
  draftId: string;
  periodId: number;
  amountText: string;
  reason_code: RefundReason;
  reason_text: string | null;
  baseline: string;
  /** The risk that was confirmed, as `riskKey` names it; null: nothing. */
  confirmedRisk: string | null;
}

/** What a person requests. */
export interface RefundRequest {
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  reason_code: RefundReason;
  /** Free text, 1 to 500 characters; null: the text of the code is sent. */
  reason_text: string | null;
}

/** A request with its idempotency key, the bytes of every call, and the digests an approval binds. */
export interface PreparedRequest extends RefundRequest {
  client_request_id: string;
  request_bytes: Buffer;
  /** SHA-256 of the request bytes as stored. */
  request_digest: Buffer;
  baseline_digest: Buffer;
  content_digest: Buffer;
}

/** The request body of a refund. Period and amount are always explicit: Invo's defaults take the newest period and everything that remains. */
export function writeRequestBody(client_request_id: string, request: RefundRequest): string {
  const { period_seq, amount_usd, reason_code, reason_text } = request;
  return JSON.stringify({ client_request_id, period_seq, amount_usd, reason: reason_text ?? REFUND_REASONS[reason_code] });
}

/** A stored request and its context: everything an approval covers. Facts and estimate are the JSON as stored. */
export interface RefundContent extends Omit<PreparedRequest, 'reason_code' | 'content_digest'> {
  /** The row's own text, even one that is not on our list. */
  reason_code: string;
  environment: string;
  facts: unknown;
  estimate: unknown;
}

/**
 * The value whose digest an approval binds. The sender computes it again, so any change since then voids the approval. `sent_sha256` is the
 * digest of the request bytes as they are now, in hex.
 */
export function approvedContentOf(content: RefundContent, sent_sha256: string): object {
  const { client_request_id, subscription_id, period_id, period_seq, amount_usd, reason_code, reason_text } = content;
  const { environment, request_digest, baseline_digest, facts, estimate } = content;
  return {
    wish: { client_request_id, subscription_id, period_id, period_seq, amount_usd, reason_code, reason_text },
    environment,
    sent: sent_sha256,
    request_digest: request_digest.toString('hex'),
    baseline_digest: baseline_digest.toString('hex'),
    facts,
    estimate,
  };
}
