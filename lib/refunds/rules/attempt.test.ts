import { expect, test } from 'vitest';
import { decidingCode, REFUND_REFUSALS } from '#lib/invo/rules/error-codes.ts';
import { ATTEMPT_CLASSES, type AttemptClass, classifyAttempt, type ObservedAnswer, UNANSWERED_CLASSES } from './attempt.ts';

const REQUESTED = { client_request_id: 'key', subscription_id: 'SUB_1', period_seq: 3, amount_usd: '5.00', period_amount_usd: '20.00' };
const RECEIPT = {
  idempotent_replay: false,
  client_request_id: 'key',
  subscription_id: 'SUB_1',
  period_seq: 3,
  refunded_amount_usd: '5.00',
  total_refunded_amount_usd: '7.50',
  remaining_refundable_usd: '12.50',
  is_full_refund: false,
};
const REDUCED = { transaction_id: 'T1', client_request_id: null, period_seq: null };

function observed(changed: Partial<ObservedAnswer>): ObservedAnswer {
  return { phase: 'answered', status: null, errorCode: null, facts: {}, receipt: null, reduced: null, ...changed };
}

const classify = (changed: Partial<ObservedAnswer>): AttemptClass => classifyAttempt(observed(changed), REQUESTED);

test.each<[AttemptClass, Partial<ObservedAnswer>]>([
  ['not_sent', { phase: 'not_sent' }],
  ['no_answer', { phase: 'sent' }],
  ['no_answer', { phase: 'sent', status: 409, errorCode: 'ALREADY_REFUNDED' }],
  ['landed', { status: 200, receipt: RECEIPT }],
  ['landed', { status: 200, receipt: { ...RECEIPT, refunded_amount_usd: '5.000' } }],
  ['landed', { status: 200, receipt: { ...RECEIPT, client_request_id: null } }],
  ['replayed', { status: 200, receipt: { ...RECEIPT, idempotent_replay: true } }],
  ['reduced', { status: 200, reduced: REDUCED }],
  ['reduced', { status: 200, reduced: { ...REDUCED, client_request_id: 'key', period_seq: 3 } }],
  ['contradiction', { status: 200, reduced: { ...REDUCED, client_request_id: 'other' } }],
  ['contradiction', { status: 200, reduced: { ...REDUCED, period_seq: 4 } }],
  ['landed', { status: 201, receipt: RECEIPT }],
  [
    'landed',
    { status: 200, receipt: { ...RECEIPT, total_refunded_amount_usd: null, remaining_refundable_usd: null, is_full_refund: null } },
  ],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, total_refunded_amount_usd: '4.99' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, remaining_refundable_usd: '12.51' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, total_refunded_amount_usd: '20.01', remaining_refundable_usd: null } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, remaining_refundable_usd: '-12.50' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, is_full_refund: true } }],
  ['landed', { status: 200, receipt: { ...RECEIPT, total_refunded_amount_usd: '20.00', remaining_refundable_usd: '0.00' } }],
  ['no_answer', { status: 200 }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, refunded_amount_usd: '5.01' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, period_seq: 4 } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, subscription_id: 'SUB_2' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, client_request_id: 'other' } }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1', order_id: 'O1' } }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1' }, errorCode: 'DUPLICATE_REQUEST' }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1' }, errorCode: 'DUPLICATE_CLIENT_REQUEST_ID' }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1' }, errorCode: 'IDEMPOTENT_REPLAY' }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1', status: 'error', client_request_id: 'key', period_seq: '3' } }],
  ['contradiction', { status: 409, facts: { transaction_id: 'T1', client_request_id: 'other' } }],
  ['attention', { status: 409, facts: { order_id: 'O1' } }],
  ['attention', { status: 409, facts: { transaction_id: 'T1', error_code: 'BRAND_NEW' }, errorCode: 'DUPLICATE_REQUEST' }],
  ['attention', { status: 502, errorCode: 'PROCESSOR_ERROR', facts: { error_code: 'REFUND_MISMATCH' } }],
  ['retry', { status: 502, errorCode: 'PROCESSOR_ERROR', facts: { error_code: 'card_network_down' } }],
  ['retry', { status: 409, errorCode: 'ALREADY_REFUNDED', facts: { error_code: 'PROCESSOR_ERROR' } }],
  ['refused', { status: 409, errorCode: 'BRAND_NEW', facts: { error_code: 'ALREADY_REFUNDED' } }],
  ['attention', { status: 409, facts: { transaction_id: 'T1' }, errorCode: 'PERIOD_DISPUTED' }],
  ['attention', { status: 409, facts: { transaction_id: 'T1' }, errorCode: 'IDEMPOTENCY_KEY_MISMATCH' }],
  ['attention', { status: 409, facts: { transaction_id: 'T1', status: 'failed' }, errorCode: 'failed' }],
  ['retry', { status: 409, facts: { order_id: 'O1', status: 'pending' }, errorCode: 'pending' }],
  ['retry', { status: 500, errorCode: 'INVALID_AMOUNT' }],
  ['retry', { status: 502, errorCode: 'NO_PAYMENT_REFERENCE' }],
  ['refused', { status: 409, errorCode: 'ALREADY_REFUNDED', facts: { transaction_id: 'T1' } }],
  ['wait', { status: 429, errorCode: 'RATE_LIMITED' }],
  ['wait', { status: 429, errorCode: 'rate_limit_exceeded' }],
  ['wait', { status: 429 }],
  ['retry', { status: 502, errorCode: 'PROCESSOR_ERROR' }],
  ['retry', { status: 500, errorCode: 'INTERNAL_ERROR' }],
  ['retry', { status: 503, errorCode: 'service_unavailable' }],
  ['retry', { status: 502, errorCode: 'PAYMENT_OUTCOME_UNKNOWN' }],
  ['retry', { status: 502, errorCode: 'SOMETHING_NEW' }],
  ['retry', { status: 599 }],
  ['paused', { status: 503, errorCode: 'FLOW_PAUSED' }],
  ['paused', { status: 503, errorCode: 'PROCESSOR_UNAVAILABLE' }],
  ['attention', { status: 503, errorCode: 'PROCESSOR_NOT_CONFIGURED' }],
  ['attention', { status: 502, errorCode: 'REFUND_LOOKUP_FAILED' }],
  ['attention', { status: 502, errorCode: 'REFUND_MISMATCH' }],
  ['attention', { status: 409, errorCode: 'SOMETHING_NEW' }],
  ['attention', { status: 404 }],
  ['no_access', { status: 401, errorCode: 'INVALID_GAME_SECRET' }],
  ['no_access', { status: 401 }],
  ['no_access', { status: 403 }],
])('the class is %s for %j', (expected, changed) => {
  expect(classify(changed)).toBe(expected);
});

test.each(REFUND_REFUSALS)('%s is a refusal under any 4xx', (errorCode) => {
  for (const status of [400, 404, 409, 422]) expect(classify({ status, errorCode })).toBe('refused');
});

test('only classes of calls that may have been executed count as unanswered', () => {
  const counted = ATTEMPT_CLASSES.filter((each) => UNANSWERED_CLASSES.has(each));
  expect(counted).toEqual(['reduced', 'retry', 'paused', 'no_answer', 'attention', 'contradiction']);
});

test.each([
  ['PROCESSOR_ERROR', { error_code: 'REFUND_MISMATCH' }, 'REFUND_MISMATCH'],
  ['PROCESSOR_ERROR', { error_code: 'card_network_down' }, 'PROCESSOR_ERROR'],
  ['BRAND_NEW', { error_code: 'ALREADY_REFUNDED' }, 'ALREADY_REFUNDED'],
  ['BRAND_NEW', {}, 'BRAND_NEW'],
  [null, {}, null],
])('of %s beside %j, %s decides', (errorCode, facts, decides) => {
  expect(decidingCode({ errorCode, facts })).toBe(decides);
});
