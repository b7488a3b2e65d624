import { readerOf } from '../reader.ts';
import { textId, words } from '../shapes/fields.ts';
import { type RefundReceipt, refundReceipt } from './refund-receipt.ts';
import type { RefundAnswer } from './send-refund.ts';

const readReceipt = readerOf<RefundReceipt>(refundReceipt, () => null);

/**
 * Reads the body of a 2xx to a refund: a full receipt, the reduced one (a transaction, no refunded amount), or neither, with the first
 * field at fault. A reduced body that names another subscription is neither; a full receipt is compared by whoever knows what was asked.
 */
export function readRefundBody(
  status: number,
  subscriptionId: string,
  json: Record<string, unknown>,
): Pick<RefundAnswer, 'receipt' | 'reduced' | 'unreadable'> {
  const nothing = { receipt: null, reduced: null, unreadable: null };
  if (status === 200 && isReduced(json)) return { ...nothing, ...readReduced(subscriptionId, json) };
  const reading = readReceipt(json);
  return reading.isSound
    ? { ...nothing, receipt: reading.value }
    : { ...nothing, unreadable: { path: reading.path, reason: reading.reason } };
}

function isReduced({ transaction_id, refunded_amount_usd }: Record<string, unknown>): boolean {
  return (transaction_id ?? null) !== null && (refunded_amount_usd ?? null) === null;
}

/** Statuses under which a body without amounts can be a receipt; anything else (pending, failed …) is none. */
const DONE = new Set(['success', 'refunded', 'duplicate', 'already_processed', 'already_refunded']);

function readReduced(subscriptionId: string, json: Record<string, unknown>): Pick<RefundAnswer, 'reduced' | 'unreadable'> {
  const status = json.status ?? null;
  if (status !== null && !(typeof status === 'string' && DONE.has(status)))
    return { reduced: null, unreadable: { path: 'status', reason: 'not one of a refund that was carried out' } };
  if ((json.error_code ?? json.error_code_public ?? null) !== null)
    return { reduced: null, unreadable: { path: 'error_code', reason: 'a receipt carries none' } };
  const named = json.subscription_id ?? null;
  if (named !== null && named !== subscriptionId) {
    return { reduced: null, unreadable: { path: 'subscription_id', reason: 'not what was asked' } };
  }
  const transaction = textId.safeParse(json.transaction_id);
  if (!transaction.success) {
    const reason = transaction.error.issues[0]?.message ?? 'refused';
    return { reduced: null, unreadable: { path: 'transaction_id', reason } };
  }
  const note = words.parse(json.note ?? json.message);
  const client_request_id = words.parse(json.client_request_id);
  const period_seq = typeof json.period_seq === 'number' ? json.period_seq : null;
  return { reduced: { transaction_id: transaction.data, note, client_request_id, period_seq }, unreadable: null };
}
