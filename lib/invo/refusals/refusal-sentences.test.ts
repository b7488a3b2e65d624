import { describe, expect, it } from 'vitest';
import { isDocumentedCode, refundCodes, reportingCodes, sharedCodes, subscriptionCodes } from './refusal-codes.ts';
import { type Asked, sayRefusal } from './refusal-sentences.ts';

const say = (errorCode: string | null, facts: Record<string, unknown> = {}, errorId: string | null = null): string =>
  sayRefusal({ errorCode, facts, errorId });

// Written from the contract's tables, not from the code.
const SUBSCRIPTION_ERRORS =
  'SUBSCRIPTION_NOT_FOUND INVALID_FIELD_VALUE PLAYER_EMAIL_REQUIRED PLAYER_EMAIL_TOO_LONG STATUS_INVALID PAGINATION_INVALID SUBSCRIPTION_TERMINAL PCSTORE_REAUTHORIZATION_REQUIRED PAYMENT_METHOD_NOT_FOUND PAYMENT_METHOD_EXPIRED PAYMENT_METHOD_INVALID PAYMENT_METHOD_REQUIRED WALLET_ONLY_SUBSCRIPTION WALLET_ONLY_CONFLICT NOT_A_CARD_SUBSCRIPTION PAYMENT_METHOD_UNAVAILABLE';
const REFUND_ERRORS =
  'CLIENT_REQUEST_ID_REQUIRED CLIENT_REQUEST_ID_INVALID CLIENT_REQUEST_ID_TOO_LONG CLIENT_REQUEST_ID_RESERVED INVALID_PERIOD_SEQ PERIOD_NOT_FOUND INVALID_AMOUNT AMOUNT_EXCEEDS_REMAINING INVALID_BODY SUBSCRIPTION_NOT_FOUND NO_PAID_PERIOD PERIOD_NOT_REFUNDABLE ALREADY_REFUNDED PCSTORE_REFUND_NOT_SUPPORTED MINT_ORDER_MISSING NO_PAYMENT_REFERENCE REFUND_LOOKUP_FAILED REFUND_MISMATCH PROCESSOR_ERROR service_unavailable FLOW_PAUSED INTERNAL_ERROR RATE_LIMITED';
const REPORTING_ERRORS =
  'WINDOW_INVALID WINDOW_TOO_LONG WINDOW_TOO_LARGE PAGINATION_INVALID RECIPIENT_INVALID SUBSCRIPTION_ID_INVALID STATUS_INVALID INVALID_FIELD_VALUE SUBSCRIPTION_NOT_FOUND PERIOD_NOT_FOUND rate_limit_exceeded INTERNAL_ERROR';
const UNKNOWN_OUTCOMES =
  'REFUND_LOOKUP_FAILED REFUND_MISMATCH PROCESSOR_ERROR service_unavailable FLOW_PAUSED paused INTERNAL_ERROR PROCESSOR_UNAVAILABLE PROCESSOR_NOT_CONFIGURED PAYMENT_OUTCOME_UNKNOWN'.split(
    ' ',
  );
const every = [...new Set([...`${SUBSCRIPTION_ERRORS} ${REFUND_ERRORS} ${REPORTING_ERRORS}`.split(' '), ...sharedCodes])];

describe('the codes', () => {
  it.each([
    ['subscription', subscriptionCodes, SUBSCRIPTION_ERRORS],
    ['refund', refundCodes, REFUND_ERRORS],
    ['reporting', reportingCodes, REPORTING_ERRORS],
  ])('of the %s errors are those of the contract', (_, codes, table) => {
    expect([...codes].toSorted()).toEqual(table.split(' ').toSorted());
  });
});

describe('a refusal', () => {
  it.each(every)('with %s has a sentence of its own, with the reference to quote', (code) => {
    expect(isDocumentedCode(code)).toBe(true);
    expect(say(code, {}, 'err_7')).toMatch(/^[A-Z][^{}]{60,}\. Quote err_7 to Invo\.$/);
    expect(say(code)).not.toMatch(/Quote|undefined|null|NaN|\.\.|[A-Z]{3,}_/);
    expect(every.filter((other) => other !== code).map((other) => say(other))).not.toContain(say(code));
  });
  it.each(UNKNOWN_OUTCOMES)(
    'with %s, after which money may have moved, never says that nothing did, and warns of a second refund',
    (code) => {
      expect(say(code)).not.toMatch(/[Nn]othing/);
      expect(say(code)).toContain('do not refund this period elsewhere'.slice(1));
    },
  );
  it('of an amount says what was refunded and what is left, as far as Invo said', () => {
    expect(say('AMOUNT_EXCEEDS_REMAINING', { already_refunded_usd: '17.80', remaining_refundable_usd: '2.20' })).toContain(
      '17.80 USD of 20.00 was already refunded; 2.20 is left.',
    );
    expect(say('AMOUNT_EXCEEDS_REMAINING', { remaining_refundable_usd: '2.20' })).toContain(': 2.20 USD is left.');
    expect(say('AMOUNT_EXCEEDS_REMAINING', { remaining_refundable_usd: 2.2 })).toContain('left of this period. Nothing');
  });
  it.each([
    ['ALREADY_REFUNDED', { refunded_amount_usd: '20.00', amount_usd: '20.00' }, ': 20.00 USD of 20.00.'],
    ['ALREADY_REFUNDED', { refunded_amount_usd: '20.00' }, ': 20.00 USD.'],
    ['PERIOD_NOT_REFUNDABLE', { period_status: 'forgiven' }, '(it is forgiven)'],
    ['PCSTORE_REAUTHORIZATION_REQUIRED', { current_amount_usd: '5.00', requested_amount_usd: '7.50' }, 'from 5.00 to 7.50 USD'],
    ['RATE_LIMITED', { retry_after: '17' }, 'in 17 s'],
    ['rate_limit_exceeded', { retry_after: 8.2 }, 'in 9 s'],
    ['WINDOW_TOO_LARGE', { settled_renewals: 20_400, max_renewals: '20000' }, '20400 settled renewals, at most 20000'],
    ['WINDOW_TOO_LARGE', { reversals: 20_001 }, '20001 refunded renewals, more than allowed'],
  ])('with %s and %j carries %s', (code, facts, expected) => {
    expect(say(code, facts)).toContain(expected);
  });
  it.each(['INVALID_AMOUNT', 'INVALID_BODY', 'RATE_LIMITED', 'rate_limit_exceeded'])(
    'with %s says nothing of another request',
    (errorCode) => {
      const said = (asked: Asked): string => sayRefusal({ errorCode, facts: { retry_after: 9 }, errorId: null }, asked);
      expect(said('change')).toContain('The subscription stays as it was.');
      expect(said('change')).not.toMatch(/refund|only read|Sharebook sends/);
      expect(said('refund')).toContain('Nothing was refunded by this request.');
      expect(said('refund')).not.toMatch(/only read|subscription stays/);
      expect(said('read')).toContain('This only read; nothing was changed.');
    },
  );
  it('of a refund for asking too often says that it is sent again, by whatever code', () => {
    for (const code of ['RATE_LIMITED', 'rate_limit_exceeded'])
      expect(say(code, { retry_after: 9 })).toContain('Sharebook sends the same one again in 9 s.');
  });
  it('of a change is told as of a refund where the code says it all', () => {
    const refusal = { errorCode: 'PAYMENT_METHOD_EXPIRED', facts: {}, errorId: null };
    expect(sayRefusal(refusal, 'change')).toBe(sayRefusal(refusal));
  });
  it('with a code nobody knows, or none, is not guessed at', () => {
    expect(say('BRAND_NEW')).toMatch(/does not name \(BRAND_NEW\).*not known/);
    expect(say(null, {}, 'err_9')).toMatch(/no code.*not known.*Quote err_9/);
    expect(say('toString')).toContain('(toString)');
  });
});
