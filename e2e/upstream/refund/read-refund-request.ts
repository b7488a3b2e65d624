import { readReason } from '../wire/body.ts';
import type { Json } from '../wire/json.ts';
import { Refusal } from '../wire/refusal.ts';

const KEY_LENGTH_MAX = 255;

export interface RefundRequest {
  periodSeq: number | null;
  /** As sent: its places are judged by the period. */
  amount: unknown;
  reason: string | null;
}

/** The idempotency key of a refund: required, at most 255 characters, none of the reserved ones. */
export function readKey(body: Json): string {
  const key = body['client_request_id'] ?? '';
  if (key === '') throw new Refusal(400, 'CLIENT_REQUEST_ID_REQUIRED', 'client_request_id is required.');
  if (typeof key !== 'string' || /\p{Cc}/u.test(key) || key.trim() !== key)
    throw new Refusal(400, 'CLIENT_REQUEST_ID_INVALID', 'client_request_id must be plain text.');
  if (key.length > KEY_LENGTH_MAX)
    throw new Refusal(400, 'CLIENT_REQUEST_ID_TOO_LONG', `client_request_id is at most ${KEY_LENGTH_MAX} characters.`);
  if (/^sub_/i.test(key)) throw new Refusal(400, 'CLIENT_REQUEST_ID_RESERVED', 'client_request_id must not begin with sub_.');
  return key;
}

/** What else a refund says; read only once the key turned out to be new. */
export function readRefundRequest(body: Json): RefundRequest {
  const seq = body['period_seq'] ?? null;
  if (seq !== null && (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1))
    throw new Refusal(400, 'INVALID_PERIOD_SEQ', 'period_seq must be a whole number from 1.');
  return { periodSeq: seq, amount: body['amount_usd'] ?? null, reason: readReason(body) };
}
