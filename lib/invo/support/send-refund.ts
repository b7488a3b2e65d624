import type { InvoErrorCode } from '../invo-error.ts';
import { subscriptionSegment } from '../path-segment.ts';
import type { Evidence } from '../transport/evidence.ts';
import type { WriteToInvo } from '../write/open-writes.ts';
import { readRefundBody } from './read-refund-body.ts';
import type { RefundReceipt } from './refund-receipt.ts';
import { textFacts } from './text-facts.ts';

/** `body` is sent as it is: the bytes of the JSON object, the same on every retry. */
export interface RefundToSend {
  subscriptionId: string;
  body: Uint8Array;
}

/** What was observed of one sent refund; what it means for the money is decided elsewhere. */
export interface RefundAnswer {
  /**
   * How far the exchange got: nothing left us / something may have arrived / a whole answer came. A redirect, an answer that is no JSON
   * object and an answer cut off are `sent`.
   */
  phase: 'not_sent' | 'sent' | 'answered';
  /** Trouble with the road or with an answer nobody can read; null when answered, whatever the answer says. */
  trouble: InvoErrorCode | null;
  status: number | null;
  /** The public code before the older one, else `status` or `error` where they are codes; null on a 200. */
  errorCode: string | null;
  errorId: string | null;
  retryAfterMs: number | null;
  /** What Invo gave beside a refusal, or in a 200 that is no full receipt, as text; amounts only where they are plain decimals. */
  facts: Record<string, string>;
  /** The 200 read as a full receipt. */
  receipt: RefundReceipt | null;
  /** The 200 read as the reduced body of a lost receipt: a transaction and no refunded amount. */
  reduced: { transaction_id: string | null; note: string | null; client_request_id: string | null; period_seq: number | null } | null;
  /** The first field that did not fit when a 2xx was neither; null otherwise. */
  unreadable: { path: string; reason: string } | null;
  /** The bytes as received (at most 64 KiB of them); null when there are none, or when they repeat a secret. */
  evidence: Evidence | null;
  secret: 'current' | 'previous';
}

/**
 * Sends one refund, exactly once (once more with the other secret when Invo refused the first with a 401), on a new connection.
 * Never throws for trouble with Invo; throws an Error for an id or a body no request can carry.
 */
export async function sendRefund(write: WriteToInvo, { subscriptionId, body }: RefundToSend, signal?: AbortSignal): Promise<RefundAnswer> {
  if (body.byteLength === 0) throw new Error('a refund has a body');
  const path = `/api/subscriptions/${subscriptionSegment(subscriptionId)}/refund`;
  const { phase, trouble, status, errorCode, errorId, retryAfterMs, facts, json, evidence, secret } = await write({
    route: { kind: 'refund', subscriptionId },
    path,
    body,
    signal,
  });
  const isRefusal = status === null || status < 200 || status > 299;
  const read = json === null || isRefusal ? NO_BODY : readRefundBody(status, subscriptionId, json);
  return {
    phase,
    trouble,
    status,
    errorCode: isRefusal ? errorCode : null,
    errorId,
    retryAfterMs,
    facts: read.receipt === null ? textFacts(facts) : {},
    ...read,
    evidence,
    secret,
  };
}

const NO_BODY = { receipt: null, reduced: null, unreadable: null } as const;
