import { digestOf } from '../core/canonical-digest.ts';
import type { ActionContent } from './rules/action-ports.ts';

/** SHA-256 over everything that an approval of an action covers. */
export function digestContent(content: ActionContent): Buffer {
  const { kind, player_id, order_id, reference, amount, facts, request_digest, reason_code, reason_text, ticket } = content;
  const request = request_digest.toString('hex');
  return digestOf({ kind, player_id, order_id, reference, amount, facts, request, reason_code, reason_text, ticket });
}
