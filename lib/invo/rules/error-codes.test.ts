import { describe, expect, it, test } from 'vitest';
import { type AttemptClass, classifyAttempt } from '#lib/refunds/rules/attempt.ts';
import {
  codesOfBody,
  DOCUMENTED_CODES,
  decidingCode,
  errorOfStatus,
  type InvoErrorCode,
  isCertainRefusal,
  isOpenCode,
  type RequestKind,
} from './error-codes.ts';

// Everything below is written from the contract's tables, not from the code: a status, and the codes it comes with.
type Row<Class> = [expected: Class, status: number, codes: string];

const REFUND_ERRORS: Row<AttemptClass>[] = [
  [
    'refused',
    400,
    'CLIENT_REQUEST_ID_REQUIRED CLIENT_REQUEST_ID_INVALID CLIENT_REQUEST_ID_TOO_LONG CLIENT_REQUEST_ID_RESERVED INVALID_PERIOD_SEQ INVALID_AMOUNT AMOUNT_EXCEEDS_REMAINING INVALID_BODY',
  ],
  ['refused', 404, 'PERIOD_NOT_FOUND SUBSCRIPTION_NOT_FOUND'],
  [
    'refused',
    409,
    'NO_PAID_PERIOD PERIOD_NOT_REFUNDABLE ALREADY_REFUNDED PCSTORE_REFUND_NOT_SUPPORTED MINT_ORDER_MISSING NO_PAYMENT_REFERENCE',
  ],
  ['attention', 502, 'REFUND_LOOKUP_FAILED REFUND_MISMATCH'],
  ['retry', 502, 'PROCESSOR_ERROR'],
  ['retry', 503, 'service_unavailable'],
  ['paused', 503, 'FLOW_PAUSED'],
  ['retry', 500, 'INTERNAL_ERROR'],
  ['wait', 429, 'RATE_LIMITED'],
  // Public codes, authentication, and the errors of other writing routes that a refund can meet.
  ['paused', 503, 'PROCESSOR_UNAVAILABLE'],
  ['attention', 503, 'PROCESSOR_NOT_CONFIGURED'],
  ['retry', 502, 'PAYMENT_OUTCOME_UNKNOWN'],
  ['retry', 503, 'PAYMENT_OUTCOME_UNKNOWN'],
  ['retry', 409, 'pending'],
  ['wait', 429, 'rate_limit_exceeded'],
  ['no_access', 401, 'INVALID_GAME_SECRET'],
  ['no_access', 403, 'RAIL_NOT_AVAILABLE_TO_PLATFORM BRAND_NEW'],
  // A code of another table is no refund error, so nobody may guess at it.
  ['attention', 409, 'SUBSCRIPTION_TERMINAL PAYMENT_METHOD_UNAVAILABLE paused BRAND_NEW'],
  ['attention', 400, 'STATUS_INVALID WINDOW_TOO_LARGE RAIL_CHANNEL_MISMATCH'],
  // A refusal under the status of a failure proves nothing.
  ['retry', 500, 'INVALID_AMOUNT ALREADY_REFUNDED BRAND_NEW'],
];

const CHANGE_ERRORS: Row<'certain' | 'open'>[] = [
  ['certain', 404, 'SUBSCRIPTION_NOT_FOUND PAYMENT_METHOD_NOT_FOUND'],
  [
    'certain',
    400,
    'INVALID_FIELD_VALUE INVALID_AMOUNT INVALID_BODY PAYMENT_METHOD_EXPIRED PAYMENT_METHOD_INVALID PAYMENT_METHOD_REQUIRED WALLET_ONLY_CONFLICT',
  ],
  [
    'certain',
    409,
    'SUBSCRIPTION_TERMINAL PCSTORE_REAUTHORIZATION_REQUIRED WALLET_ONLY_SUBSCRIPTION NOT_A_CARD_SUBSCRIPTION PAYMENT_METHOD_UNAVAILABLE',
  ],
  ['certain', 401, 'INVALID_GAME_SECRET BRAND_NEW'],
  ['certain', 403, 'RAIL_NOT_AVAILABLE_TO_PLATFORM BRAND_NEW'],
  ['certain', 429, 'rate_limit_exceeded RATE_LIMITED BRAND_NEW'],
  [
    'open',
    409,
    'paused FLOW_PAUSED PROCESSOR_ERROR PROCESSOR_UNAVAILABLE PROCESSOR_NOT_CONFIGURED PAYMENT_OUTCOME_UNKNOWN INTERNAL_ERROR service_unavailable REFUND_LOOKUP_FAILED REFUND_MISMATCH',
  ],
  ['open', 429, 'PAYMENT_OUTCOME_UNKNOWN'],
  ['open', 400, 'BRAND_NEW'],
  ['open', 409, 'BRAND_NEW pending'],
];

const READ_ERRORS: Row<InvoErrorCode>[] = [
  [
    'rejected',
    400,
    'WINDOW_INVALID WINDOW_TOO_LONG PAGINATION_INVALID RECIPIENT_INVALID SUBSCRIPTION_ID_INVALID STATUS_INVALID INVALID_FIELD_VALUE PLAYER_EMAIL_REQUIRED PLAYER_EMAIL_TOO_LONG BRAND_NEW',
  ],
  ['window_too_large', 400, 'WINDOW_TOO_LARGE'],
  ['not_found', 404, 'SUBSCRIPTION_NOT_FOUND PERIOD_NOT_FOUND PLAYER_NOT_FOUND BRAND_NEW'],
  ['rate_limited', 429, 'rate_limit_exceeded BRAND_NEW'],
  ['upstream_fault', 500, 'INTERNAL_ERROR WINDOW_TOO_LARGE BRAND_NEW'],
  ['upstream_fault', 503, 'service_unavailable'],
  ['unauthorized', 401, 'INVALID_GAME_SECRET BRAND_NEW'],
  ['rejected', 403, 'BRAND_NEW RAIL_NOT_AVAILABLE_TO_PLATFORM'],
  ['rejected', 429, 'spending_limit_exceeded velocity_limit_exceeded resend_cooldown'],
];

const REQUESTED = { client_request_id: 'key', subscription_id: 'SUB_1', period_seq: 3, amount_usd: '5.00', period_amount_usd: '20.00' };

function classOfRefund(status: number, errorCode: string | null, facts: Record<string, string> = {}): AttemptClass {
  return classifyAttempt({ phase: 'answered', status, errorCode, facts, receipt: null, reduced: null }, REQUESTED);
}

function classOfChange(status: number, errorCode: string | null, facts: Record<string, string> = {}): 'certain' | 'open' {
  return isCertainRefusal({ status, errorCode, facts }) ? 'certain' : 'open';
}

const each = <Class>(rows: Row<Class>[]): [string, number, Class][] =>
  rows.flatMap(([expected, status, codes]) => codes.split(' ').map((code): [string, number, Class] => [code, status, expected]));

describe('every documented code has its class, alone, as the public code or the older one', () => {
  test.each(each(REFUND_ERRORS))(
    'a refund answered with %s under HTTP %i has the class %s, alone or beside another code',
    (code, status, expected) => {
      expect(classOfRefund(status, code)).toBe(expected);
      expect(classOfRefund(status, 'BRAND_NEW', { error_code: code })).toBe(expected);
      expect(classOfRefund(status, code, { error_code: 'BRAND_NEW' })).toBe(expected);
    },
  );
  test.each(each(CHANGE_ERRORS))(
    'a change answered with %s under HTTP %i has the class %s, alone or beside another code',
    (code, status, expected) => {
      expect(classOfChange(status, code)).toBe(expected);
      expect(classOfChange(status, 'BRAND_NEW', { error_code: code })).toBe(expected);
      expect(classOfChange(status, code, { error_code: 'BRAND_NEW' })).toBe(expected);
    },
  );
  test.each(each(READ_ERRORS))(
    'a read answered with %s under HTTP %i has the class %s, alone or beside another code',
    (code, status, expected) => {
      expect(errorOfStatus(status, { errorCode: code, facts: {} })).toBe(expected);
      expect(errorOfStatus(status, { errorCode: 'BRAND_NEW', facts: { error_code: code } })).toBe(expected);
      expect(errorOfStatus(status, { errorCode: code, facts: { error_code: 'BRAND_NEW' } })).toBe(expected);
    },
  );
  test('a 403 without a code says that the game isn’t live, unless the route has another 403', () => {
    const bare = { errorCode: null, facts: {} };
    expect(errorOfStatus(403, bare)).toBe('not_live');
    expect(errorOfStatus(403, bare, 'order')).toBe('not_live');
    expect(errorOfStatus(403, bare, 'destinations')).toBe('rejected');
    expect(errorOfStatus(403, bare, 'send_start')).toBe('rejected');
  });
  test('a response without a code has the class of its status', () => {
    expect([400, 404, 409, 500, 503].map((status) => classOfRefund(status, null))).toEqual([
      'attention',
      'attention',
      'attention',
      'retry',
      'retry',
    ]);
    expect([400, 401, 403, 409, 429].map((status) => classOfChange(status, null))).toEqual([
      'open',
      'certain',
      'certain',
      'open',
      'certain',
    ]);
  });
});

// What promises least comes first: a person, a retry, the end of a pause, a secret, a wait, a refusal, and last what nobody documents.
const CAREFUL_FIRST: Record<RequestKind, string[]> = {
  refund: [
    'REFUND_LOOKUP_FAILED REFUND_MISMATCH PROCESSOR_NOT_CONFIGURED',
    'PROCESSOR_ERROR INTERNAL_ERROR service_unavailable PAYMENT_OUTCOME_UNKNOWN pending',
    'FLOW_PAUSED PROCESSOR_UNAVAILABLE',
    'INVALID_GAME_SECRET',
    'RATE_LIMITED rate_limit_exceeded',
    'ALREADY_REFUNDED INVALID_AMOUNT PERIOD_NOT_FOUND',
    'SUBSCRIPTION_TERMINAL paused WINDOW_TOO_LARGE BRAND_NEW',
  ],
  change: [
    'REFUND_LOOKUP_FAILED REFUND_MISMATCH PROCESSOR_NOT_CONFIGURED',
    'PROCESSOR_ERROR INTERNAL_ERROR service_unavailable PAYMENT_OUTCOME_UNKNOWN',
    'FLOW_PAUSED PROCESSOR_UNAVAILABLE paused',
    'INVALID_GAME_SECRET',
    'RATE_LIMITED rate_limit_exceeded',
    'SUBSCRIPTION_TERMINAL INVALID_AMOUNT ALREADY_REFUNDED WINDOW_TOO_LARGE',
    'BRAND_NEW pending',
  ],
  read: [
    'REFUND_MISMATCH',
    'INTERNAL_ERROR',
    'FLOW_PAUSED paused',
    'INVALID_GAME_SECRET',
    'rate_limit_exceeded',
    'WINDOW_TOO_LARGE STATUS_INVALID',
    'BRAND_NEW',
  ],
};

test.each(Object.entries(CAREFUL_FIRST))(
  'of two codes on a %s the one that promises less decides, in either field',
  (requested, groups) => {
    const ranked = groups.flatMap((codes, rank) => codes.split(' ').map((code): [string, number] => [code, rank]));
    // Equal ranks: the public code, which the contract prefers to match on.
    for (const [one, rank] of ranked)
      for (const [other, otherRank] of ranked)
        expect(decidingCode({ errorCode: one, facts: { error_code: other } }, requested as RequestKind)).toBe(
          otherRank < rank ? other : one,
        );
  },
);

test.each([
  ['window_too_large', 'WINDOW_TOO_LARGE', 'BRAND_NEW'],
  ['window_too_large', 'BRAND_NEW', 'WINDOW_TOO_LARGE'],
  ['rejected', 'WINDOW_TOO_LARGE', 'INTERNAL_ERROR'],
])('a read is classed %s with %s beside %s', (expected, errorCode, error_code) => {
  expect(errorOfStatus(400, { errorCode, facts: { error_code } })).toBe(expected);
});

describe('the codes of an error body', () => {
  it.each([
    [{ error_code_public: 'PROCESSOR_ERROR', error_code: 'card_network_down' }, ['PROCESSOR_ERROR', 'card_network_down']],
    [{ error_code: 'ALREADY_REFUNDED', status: 'error' }, ['ALREADY_REFUNDED']],
    [{ error_code_public: 'X_1', error_code: 'X_1' }, ['X_1']],
    [{ status: 'service_unavailable' }, ['service_unavailable']],
    [{ status: 'paused', error: 'Conflict' }, ['paused']],
    [{ status: 'pending', duplicate: true }, ['pending']],
    [{ status: 'error', error: 'spending_limit_exceeded' }, ['spending_limit_exceeded']],
    [{ status: 'success', error: 'Conflict' }, []],
    [{ error_code: 'no code at all', status: 409 }, []],
    [{}, []],
  ])('an error body %j has the codes %j', (body, codes) => {
    expect(codesOfBody(body)).toEqual(codes);
  });
});

test('the documented codes are those of the tables above and of the routes Sharebook calls', () => {
  const tables = [...REFUND_ERRORS, ...CHANGE_ERRORS, ...READ_ERRORS].flatMap(([, , codes]) => codes.split(' '));
  // The last three are in the tables of other routes.
  const undocumented = new Set(
    'BRAND_NEW pending RAIL_NOT_AVAILABLE_TO_PLATFORM RAIL_CHANNEL_MISMATCH spending_limit_exceeded velocity_limit_exceeded resend_cooldown'.split(
      ' ',
    ),
  );
  expect([...DOCUMENTED_CODES].toSorted()).toEqual([...new Set(tables.filter((code) => !undocumented.has(code)))].toSorted());
  expect(DOCUMENTED_CODES.filter(isOpenCode).toSorted()).toEqual(
    'FLOW_PAUSED INTERNAL_ERROR PAYMENT_OUTCOME_UNKNOWN PROCESSOR_ERROR PROCESSOR_NOT_CONFIGURED PROCESSOR_UNAVAILABLE REFUND_LOOKUP_FAILED REFUND_MISMATCH paused service_unavailable'.split(
      ' ',
    ),
  );
});
