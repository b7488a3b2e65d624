import { createHash } from 'node:crypto';
import { digestOf } from '#lib/core/canonical-digest.ts';
import type { RefundEstimate } from './estimate-refund.ts';
import { digestBaseline, type RefundFacts } from './period-facts.ts';
import { REFUND_REASONS, type RefundReason } from './refund-reasons.ts';

/** What a person asks for. */
export interface RefundWish {
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  reason_code: RefundReason;
  /** Free words, 1 to 500 characters; null: the words of the code are sent. */
  reason_text: string | null;
}

/** An intent: the wish, our key, the bytes that are sent each time, and the digests that bind an approval to all of it. */
export interface RefundRequest extends RefundWish {
  client_request_id: string;
  request_bytes: Buffer;
  request_digest: Buffer;
  baseline_digest: Buffer;
  content_digest: Buffer;
}

/** Makes the intent of a wish. Period and amount are always stated: Invo's defaults take the newest period and all that is left. */
export function writeRefundRequest(
  wish: RefundWish,
  context: { environment: string; uuid: string; facts: RefundFacts; estimate: RefundEstimate },
): RefundRequest {
  const client_request_id = `sharebook-${context.environment}-${context.uuid}`;
  const { period_seq, amount_usd, reason_code, reason_text } = wish;
  const body = { client_request_id, period_seq, amount_usd, reason: reason_text ?? REFUND_REASONS[reason_code] };
  const request_bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const request_digest = createHash('sha256').update(request_bytes).digest();
  const request = { ...wish, client_request_id, request_bytes, request_digest, baseline_digest: digestBaseline(context.facts.period) };
  return { ...request, content_digest: digestContent(request, context) };
}

/**
 * SHA-256 over everything an approval speaks of: whoever sends computes it again, and any change since voids the approval. Of a stored
 * refund everything counts as its row says it, a reason that is none of ours too.
 */
export function digestContent(
  request: Omit<RefundRequest, 'content_digest' | 'reason_code'> & { reason_code: string },
  context: { environment: string; facts: unknown; estimate: unknown },
): Buffer {
  const { request_bytes, request_digest, baseline_digest, client_request_id } = request;
  const { subscription_id, period_id, period_seq, amount_usd, reason_code, reason_text } = request;
  return digestOf({
    wish: { client_request_id, subscription_id, period_id, period_seq, amount_usd, reason_code, reason_text },
    environment: context.environment,
    sent: createHash('sha256').update(request_bytes).digest('hex'),
    request_digest: request_digest.toString('hex'),
    baseline_digest: baseline_digest.toString('hex'),
    facts: context.facts,
    estimate: context.estimate,
  });
}
