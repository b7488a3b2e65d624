import { expect, test } from 'vitest';
import {
  ATTEMPT_CLASSES,
  type AttemptClass,
  classifyAttempt,
  type Observed,
  REFUSAL_CODES,
  UNANSWERED_CLASSES,
} from './classify-attempt.ts';

const ASKED = { client_request_id: 'key', subscription_id: 'SUB_1', period_seq: 3, amount_usd: '5.00' };
const RECEIPT = {
  idempotent_replay: false,
  client_request_id: 'key',
  subscription_id: 'SUB_1',
  period_seq: 3,
  refunded_amount_usd: '5.00',
};

function observed(changed: Partial<Observed>): Observed {
  return { phase: 'answered', status: null, errorCode: null, facts: {}, receipt: null, reduced: null, ...changed };
}

const of = (changed: Partial<Observed>): AttemptClass => classifyAttempt(observed(changed), ASKED);

test.each<[AttemptClass, Partial<Observed>]>([
  ['not_sent', { phase: 'not_sent' }],
  ['no_answer', { phase: 'sent' }],
  ['no_answer', { phase: 'sent', status: 409, errorCode: 'ALREADY_REFUNDED' }],
  ['landed', { status: 200, receipt: RECEIPT }],
  ['landed', { status: 200, receipt: { ...RECEIPT, refunded_amount_usd: '5.000' } }],
  ['landed', { status: 200, receipt: { ...RECEIPT, client_request_id: null } }],
  ['replayed', { status: 200, receipt: { ...RECEIPT, idempotent_replay: true } }],
  ['reduced', { status: 200, reduced: { transaction_id: 'T1' } }],
  ['no_answer', { status: 200 }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, refunded_amount_usd: '5.01' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, period_seq: 4 } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, subscription_id: 'SUB_2' } }],
  ['contradiction', { status: 200, receipt: { ...RECEIPT, client_request_id: 'other' } }],
  ['reduced', { status: 409, facts: { transaction_id: 'T1', order_id: 'O1' } }],
  ['reduced', { status: 409, facts: { order_id: 'O1' }, errorCode: 'DUPLICATE_REQUEST' }],
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
])('%s: %j', (expected, changed) => {
  expect(of(changed)).toBe(expected);
});

test.each(REFUSAL_CODES)('%s is a refusal, whatever the status', (errorCode) => {
  for (const status of [400, 404, 409, 422]) expect(of({ status, errorCode })).toBe('refused');
});

test('what may have been carried out is counted, what cannot have been is not', () => {
  const counted = ATTEMPT_CLASSES.filter((each) => UNANSWERED_CLASSES.has(each));
  expect(counted).toEqual(['retry', 'paused', 'no_answer', 'attention', 'contradiction']);
});
