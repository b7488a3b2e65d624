import type { Call, Route } from '../route.ts';
import { findSubscription } from '../route.ts';
import type { StoredReceipt } from '../state/stores.ts';
import type { Json } from '../wire/answer.ts';
import { Refusal } from '../wire/answer.ts';
import { readObject, readQuery, readReason } from '../wire/read-request.ts';
import { cardReference, executeRefund } from './execute-refund.ts';
import { planRefund, type RefundRequest } from './plan-refund.ts';

const PER_SUBSCRIPTION_A_MINUTE = 20;

export const refundRoute: Route = {
  name: 'refund',
  method: 'POST',
  pattern: /^\/api\/subscriptions\/([^/]+)\/refund$/,
  credential: 'secret',
  meter: 'none',
  answer: answerRefund,
};

function answerRefund(call: Call): Json {
  readQuery(call.search, []);
  const body = readObject(call.bytes);
  const key = readKey(body);
  const subscription = findSubscription(call.view, call.params[0], 'INVALID_FIELD_VALUE');
  takeFromMeter(call, subscription.id);
  const known = call.support.receipt(key);
  if (known !== null) return repeat(call, known);
  const plan = planRefund(call.view, subscription, readRefundRequest(body));
  const { refundError: error } = plan.period;
  if (error !== undefined) throw new Refusal(error.status, error.code, 'Refunds of this period fail.');
  if (call.stateFault?.kind === 'fail_after_card' && plan.card > 0n) failAfterCard(call, key);
  const receipt = executeRefund(call, key, plan);
  call.outcome = 'executed';
  applyStateFault(call, key);
  return receipt;
}

function repeat(call: Call, known: StoredReceipt): Json {
  applyStateFault(call, known.clientRequestId);
  if (known.lost === 'reference') {
    call.outcome = 'conflict';
    throw new Refusal(409, null, 'This request was processed already.', {
      error: 'This request was processed already.',
      transaction_id: known.transactionId,
      order_id: known.orderId,
    });
  }
  if (known.lost === 'receipt') {
    call.outcome = 'reduced';
    return {
      status: 'refunded',
      transaction_id: known.transactionId,
      note: 'This refund was already processed; its receipt is not available.',
    };
  }
  call.outcome = 'replayed';
  return { ...structuredClone(known.receipt), idempotent_replay: true };
}

function failAfterCard(call: Call, key: string): never {
  if (call.stateFault !== null) call.stateFault.isDone = true;
  call.support.keepCardRefund(key, cardReference(key));
  call.outcome = 'card_refunded_then_failed';
  throw new Refusal(502, 'PROCESSOR_ERROR', 'The processor failed.', { error_code_public: 'PROCESSOR_ERROR' });
}

function applyStateFault(call: Call, key: string): void {
  const receipt = call.support.receipt(key);
  if (call.stateFault === null || call.stateFault.kind === 'fail_after_card' || receipt === null) return;
  call.stateFault.isDone = true;
  call.support.keep({ ...receipt, lost: call.stateFault.kind === 'lose_receipt' ? 'receipt' : 'reference' });
}

function takeFromMeter(call: Call, subscriptionId: string): void {
  if (!call.state.games[call.environment].isRateLimited) return;
  const seconds = call.state.limiter.take([{ key: `${call.environment}|refund|${subscriptionId}`, max: PER_SUBSCRIPTION_A_MINUTE }]);
  if (seconds === null) return;
  throw new Refusal(
    429,
    'RATE_LIMITED',
    'More than 20 refund calls a minute on this subscription.',
    { retry_after: seconds },
    { 'retry-after': String(seconds) },
  );
}

const KEY_LENGTH_MAX = 255;

/** The idempotency key of a refund: required, at most 255 characters, without a reserved prefix. */
function readKey(body: Json): string {
  const key = body['client_request_id'] ?? '';
  if (key === '') throw new Refusal(400, 'CLIENT_REQUEST_ID_REQUIRED', 'client_request_id is required.');
  if (typeof key !== 'string' || /\p{Cc}/u.test(key) || key.trim() !== key)
    throw new Refusal(400, 'CLIENT_REQUEST_ID_INVALID', 'client_request_id must be plain text.');
  if (key.length > KEY_LENGTH_MAX)
    throw new Refusal(400, 'CLIENT_REQUEST_ID_TOO_LONG', `client_request_id is at most ${KEY_LENGTH_MAX} characters.`);
  if (/^sub_/i.test(key)) throw new Refusal(400, 'CLIENT_REQUEST_ID_RESERVED', 'client_request_id must not begin with sub_.');
  return key;
}

/** The other fields of a refund; read only when the key is new. */
function readRefundRequest(body: Json): RefundRequest {
  const seq = body['period_seq'] ?? null;
  if (seq !== null && (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1))
    throw new Refusal(400, 'INVALID_PERIOD_SEQ', 'period_seq must be a whole number from 1.');
  return { periodSeq: seq, amount: body['amount_usd'] ?? null, reason: readReason(body) };
}
