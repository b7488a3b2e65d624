import { digestOf, sha256Of } from '../core/canonical-digest.ts';
import { digestBaseline } from './read-refund-facts.ts';
import type { RenewedFacts } from './rules/ports.ts';
import { approvedContentOf, type PreparedRequest, type RefundContent, type RefundRequest, writeRequestBody } from './rules/refund.ts';
import type { RefundEstimate, RefundFacts } from './rules/stored.ts';

/** SHA-256 over everything an approval of this refund covers. */
export function digestContent(content: RefundContent): Buffer {
  return digestOf(approvedContentOf(content, sha256Of(content.request_bytes).toString('hex')));
}

/** Writes the request of a refund: its key, its bytes and its digests. */
export function writeRefundRequest(
  request: RefundRequest,
  context: { environment: string; uuid: string; facts: RefundFacts; estimate: RefundEstimate },
): PreparedRequest {
  const client_request_id = `sharebook-${context.environment}-${context.uuid}`;
  const request_bytes = Buffer.from(writeRequestBody(client_request_id, request), 'utf8');
  const request_digest = sha256Of(request_bytes);
  const baseline_digest = digestBaseline(context.facts.period);
  const prepared = { ...request, client_request_id, request_bytes, request_digest, baseline_digest };
  return { ...prepared, content_digest: digestContent({ ...prepared, ...context }) };
}

/** The same refund on fresh facts, with the digests of its new content. */
export function renewContent(content: RefundContent, fresh: { facts: RefundFacts; estimate: RefundEstimate }): RenewedFacts {
  const baseline_digest = digestBaseline(fresh.facts.period);
  return { ...fresh, baseline_digest, content_digest: digestContent({ ...content, ...fresh, baseline_digest }) };
}
