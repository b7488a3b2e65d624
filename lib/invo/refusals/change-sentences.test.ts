import { expect, test } from 'vitest';
import { isCertain, sayChangeRefusal, sayUnknownChange } from './change-sentences.ts';
import { unknownOutcomeCodes } from './refusal-codes.ts';

test.each([
  [409, 'SUBSCRIPTION_TERMINAL', {}, true],
  [400, 'BRAND_NEW', { error_code: 'INVALID_AMOUNT' }, true],
  [400, 'BRAND_NEW', {}, false],
  [409, null, {}, false],
  [401, null, {}, true],
  [403, 'BRAND_NEW', {}, true],
  [429, 'rate_limit_exceeded', {}, true],
  [409, 'PROCESSOR_ERROR', {}, false],
  [409, 'paused', {}, false],
  [409, 'SUBSCRIPTION_TERMINAL', { error_code: 'INTERNAL_ERROR' }, false],
  [409, 'PAYMENT_OUTCOME_UNKNOWN', { error_code: 'SUBSCRIPTION_TERMINAL' }, false],
  [429, 'PAYMENT_OUTCOME_UNKNOWN', {}, false],
])('a refused change with %s, %s and %j carried nothing out for certain: %j', (status, errorCode, facts, isSure) => {
  expect(isCertain({ status, errorCode, facts })).toBe(isSure);
});

test('whoever is not certain is sent to read, by the code that leaves it open', () => {
  const refusal = { status: 409, errorId: 'err_4', retryAfterMs: null };
  const open = { ...refusal, errorCode: 'SUBSCRIPTION_TERMINAL', facts: { error_code: 'INTERNAL_ERROR' } };
  expect(sayChangeRefusal(open)).toMatch(/whether the change was made\. Read the subscription again.* Quote err_4/);
  expect(sayChangeRefusal({ ...refusal, errorCode: 'BRAND_NEW', facts: { error_code: 'INVALID_AMOUNT' } })).toContain(
    'could not use the amount',
  );
  expect(sayChangeRefusal({ ...refusal, status: 429, errorCode: 'PROCESSOR_ERROR', facts: {} })).toContain('Read the subscription again');
});

test('a 403 sends to the status of the game, and names the code, which may say something else', () => {
  const refusal = { status: 403, errorId: null, retryAfterMs: null, facts: {} };
  expect(sayChangeRefusal({ ...refusal, errorCode: null })).toMatch(/not let this game in: .*neither live nor in testing/);
  expect(sayChangeRefusal({ ...refusal, errorCode: 'RAIL_NOT_AVAILABLE_TO_PLATFORM' })).toContain('(RAIL_NOT_AVAILABLE_TO_PLATFORM)');
});

test.each(['SUBSCRIPTION_TERMINAL', 'INTERNAL_ERROR', 'BRAND_NEW', null])(
  'a failure with %s never says that nothing was changed',
  (errorCode) => {
    const said = sayUnknownChange({ errorCode, errorId: null });
    expect(said).toMatch(/[Rr]ead the subscription/);
    expect(said).not.toContain('stays as it was');
  },
);

test.each([...unknownOutcomeCodes, null])('a change with %s sends the person to read first', (errorCode) => {
  expect(sayUnknownChange({ errorCode, errorId: 'err_3' })).toMatch(/[Cc]hange.* Read the subscription again.*Quote err_3/);
  expect(sayUnknownChange({ errorCode, errorId: null })).not.toMatch(/refund|Sharebook repeats/);
});
