import { describe, expect, it, test } from 'vitest';
import { InvoError, malformed } from './invo-error.ts';
import { DOCUMENTED_CODES, INVO_ERROR_CODES, isOpenCode, type RequestKind } from './rules/error-codes.ts';
import { formatAttemptError, formatChangeRefusal, formatInvoError, formatRefusal, formatUnknownChange } from './text.ts';

const format = (errorCode: string | null, facts: Record<string, unknown> = {}, errorId: string | null = null): string =>
  formatRefusal({ errorCode, facts, errorId });
const OPEN_CODES = DOCUMENTED_CODES.filter(isOpenCode);

describe('a refusal', () => {
  it.each(DOCUMENTED_CODES)('a refusal with %s has a sentence of its own, with the reference to quote', (code) => {
    expect(format(code, {}, 'err_7')).toMatch(/^[A-Z][^{}]{60,}\. Quote err_7 to Invo\.$/);
    expect(format(code)).not.toMatch(/Quote|undefined|null|NaN|\.\.|[A-Z]{3,}_/);
    expect(DOCUMENTED_CODES.filter((other) => other !== code).map((other) => format(other))).not.toContain(format(code));
  });
  it.each(OPEN_CODES)(
    'a refusal with %s, after which money may have moved, never says that nothing did, and warns of a second refund',
    (code) => {
      expect(format(code)).not.toMatch(/[Nn]othing/);
      expect(format(code)).toMatch(/[Dd]on’t refund this period elsewhere/);
    },
  );
  it('a refused amount says what was refunded and what is left, as far as Invo reports it', () => {
    expect(format('AMOUNT_EXCEEDS_REMAINING', { already_refunded_usd: '17.80', remaining_refundable_usd: '2.20' })).toContain(
      '$17.80 of $20.00 was already refunded; $2.20 is left.',
    );
    expect(format('AMOUNT_EXCEEDS_REMAINING', { remaining_refundable_usd: '2.20' })).toContain(': $2.20 is left.');
    expect(format('AMOUNT_EXCEEDS_REMAINING', { remaining_refundable_usd: 2.2 })).toContain('still be refunded. Nothing');
  });
  it.each([
    ['ALREADY_REFUNDED', { refunded_amount_usd: '20.00', amount_usd: '20.00' }, ': $20.00 of $20.00.'],
    ['ALREADY_REFUNDED', { refunded_amount_usd: '20.00' }, ': $20.00.'],
    ['PERIOD_NOT_REFUNDABLE', { period_status: 'forgiven' }, '(it is forgiven)'],
    ['PCSTORE_REAUTHORIZATION_REQUIRED', { current_amount_usd: '5.00', requested_amount_usd: '7.50' }, 'from $5.00 to $7.50'],
    ['RATE_LIMITED', { retry_after: '17' }, 'in 17 s'],
    ['rate_limit_exceeded', { retry_after: 8.2 }, 'in 9 s'],
    ['WINDOW_TOO_LARGE', { settled_renewals: 20_400, max_renewals: '20000' }, '20400 settled renewals, at most 20000'],
    ['WINDOW_TOO_LARGE', { reversals: 20_001 }, '20001 refunded renewals, more than allowed'],
  ])('a refusal with %s and %j says %s', (code, facts, expected) => {
    expect(format(code, facts)).toContain(expected);
  });
  it.each(['INVALID_AMOUNT', 'INVALID_BODY', 'RATE_LIMITED', 'rate_limit_exceeded'])(
    'a refusal with %s names only what was requested',
    (errorCode) => {
      const formatted = (requested: RequestKind): string =>
        formatRefusal({ errorCode, facts: { retry_after: 9 }, errorId: null }, requested);
      expect(formatted('change')).toContain('The subscription is unchanged.');
      expect(formatted('change')).not.toMatch(/refund|Nothing was changed|Sharebook sends/);
      expect(formatted('refund')).toContain('Nothing was refunded by this request.');
      expect(formatted('refund')).not.toMatch(/Nothing was changed|subscription is unchanged/);
      expect(formatted('read')).toContain('Nothing was changed.');
    },
  );
  it('a refund refused for too many requests says that it is sent again, whatever the code', () => {
    for (const code of ['RATE_LIMITED', 'rate_limit_exceeded'])
      expect(format(code, { retry_after: 9 })).toContain('Sharebook sends the same refund again in 9 s.');
  });
  it('a refused change reads like a refused refund where the code alone decides', () => {
    const refusal = { errorCode: 'PAYMENT_METHOD_EXPIRED', facts: {}, errorId: null };
    expect(formatRefusal(refusal, 'change')).toBe(formatRefusal(refusal));
  });
  it('a refusal with an undocumented code, or none, says that the outcome isn’t known', () => {
    expect(format('BRAND_NEW')).toMatch(/doesn’t list \(BRAND_NEW\).*isn’t known/);
    expect(format(null, {}, 'err_9')).toMatch(/no error code.*isn’t known.*Quote err_9/);
    expect(format('toString')).toContain('(toString)');
  });
});

describe('a failed read of what is never stored', () => {
  const report = { errorId: null, facts: {}, path: null, retryAfterMs: null };
  const notFound = { ...report, code: 'not_found', status: 404, errorCode: 'NOT_FOUND' } as const;
  const refused = { ...report, code: 'rejected', status: 400, errorCode: 'INVALID_FIELD_VALUE' } as const;
  it('the sentence of a failed read that nobody entered a value for mentions none to check', () => {
    for (const error of [notFound, refused, { ...refused, errorCode: null }])
      expect(formatInvoError(error, { isList: true, isUnstored: true })).not.toMatch(/[Cc]heck|another game|[Ss]tored|entered/);
    expect(formatInvoError(notFound, { isList: true })).toContain('(NOT_FOUND)');
    expect(formatInvoError(refused, { isList: true })).toContain('(INVALID_FIELD_VALUE)');
  });
  it('a failed read of what is never stored says nothing about stored data, in Invo’s words and in ours', () => {
    const requested = { isPlayer: true, isUnstored: true };
    for (const error of [notFound, refused, { ...refused, prose: 'Not here.', family: 'loyalty_read', errorCode: 'OTHER' } as const])
      expect(formatInvoError(error, requested)).not.toMatch(/[Ss]tored/);
    expect(formatInvoError(notFound, requested)).not.toContain('Check the email');
  });
});

describe('a refused change', () => {
  const refusal = { status: 409, errorId: 'err_4', retryAfterMs: null };
  it('a refused change whose outcome is open advises reading first, by the code that leaves it open', () => {
    const open = { ...refusal, errorCode: 'SUBSCRIPTION_TERMINAL', facts: { error_code: 'INTERNAL_ERROR' } };
    expect(formatChangeRefusal(open)).toMatch(
      /^Invo failed on its side\. Whether the change was made isn’t known\. Read the .* Quote err_4/,
    );
    expect(formatChangeRefusal({ ...refusal, errorCode: 'BRAND_NEW', facts: { error_code: 'INVALID_AMOUNT' } })).toContain(
      'couldn’t use the amount',
    );
    expect(formatChangeRefusal({ ...refusal, status: 429, errorCode: 'PROCESSOR_ERROR', facts: {} })).toContain(
      'Read the subscription again',
    );
    expect(formatChangeRefusal({ ...refusal, errorCode: null, facts: {} })).toContain('Read the subscription again');
  });
  it('a change refused with a 403 names the code and says to check the status of the game', () => {
    const forbidden = { ...refusal, status: 403, errorId: null, facts: {} };
    expect(formatChangeRefusal({ ...forbidden, errorCode: null })).toMatch(/^Invo refused this game, .*neither live nor in testing/);
    expect(formatChangeRefusal({ ...forbidden, errorCode: 'RAIL_NOT_AVAILABLE_TO_PLATFORM' })).toContain(
      '(RAIL_NOT_AVAILABLE_TO_PLATFORM)',
    );
  });
  it('a change refused with a 429 says how long to wait', () => {
    expect(formatChangeRefusal({ ...refusal, status: 429, errorCode: 'rate_limit_exceeded', facts: {}, retryAfterMs: 17_000 })).toContain(
      'The subscription is unchanged. Try again in 17 s.',
    );
  });
});

describe('a change with an unknown outcome', () => {
  it.each(['SUBSCRIPTION_TERMINAL', 'INTERNAL_ERROR', 'BRAND_NEW', null])(
    'a change that failed with %s never says that nothing was changed',
    (errorCode) => {
      const formatted = formatUnknownChange({ errorCode, errorId: null });
      expect(formatted).toMatch(/[Rr]ead the subscription/);
      expect(formatted).not.toContain('The subscription is unchanged');
    },
  );
  it.each([...OPEN_CODES, null])('a change with an unknown outcome after %s advises reading the subscription first', (errorCode) => {
    expect(formatUnknownChange({ errorCode, errorId: 'err_3' })).toMatch(/[Cc]hange.* Read the subscription again.*Quote err_3/);
    expect(formatUnknownChange({ errorCode, errorId: null })).not.toMatch(/Sharebook retries|[Dd]on’t refund/);
  });
});

describe('a failed read', () => {
  it.each(INVO_ERROR_CODES)('a failed read with %s has a sentence of its own, with the reference to quote', (code) => {
    expect(formatInvoError(new InvoError(code, 'x', { errorId: 'err_1' }))).toMatch(/^[A-Z].{30,}\. Quote err_1 to Invo\.$/);
    expect(formatInvoError(new InvoError(code, 'x'))).not.toContain('Quote');
    const others = INVO_ERROR_CODES.filter((other) => other !== code).map((other) => formatInvoError(new InvoError(other, 'x')));
    expect(others).not.toContain(formatInvoError(new InvoError(code, 'x')));
  });
  it('a failed read distinguishes a wrong secret from a game that is not live', () => {
    expect(formatInvoError(new InvoError('unauthorized', 'x'))).toContain('secret');
    expect(formatInvoError(new InvoError('not_live', 'x'))).toContain('neither live nor in testing');
    expect(formatInvoError(new InvoError('not_live', 'x'))).not.toContain('secret');
  });
  it('a failed read says what Invo reported: counts, waits, its code, the field that broke the contract', () => {
    const large = new InvoError('window_too_large', 'x', { facts: { settled_renewals: 20_001, max_renewals: 20_000 } });
    expect(formatInvoError(large)).toContain('20001 settled renewals, at most 20000');
    expect(formatInvoError(new InvoError('window_too_large', 'x', { facts: { reversals: 20_500 } }))).toContain(
      '20500 refunded renewals, more than allowed',
    );
    expect(formatInvoError(new InvoError('rate_limited', 'x', { status: 429, retryAfterMs: 12_400 }))).toContain(
      'Invo asked Sharebook to wait 13 s. Stored data is unchanged. Try again after that.',
    );
    expect(formatInvoError(new InvoError('rate_limited', 'x', { status: 429 }))).toBe(
      'Invo asked Sharebook to wait. Stored data is unchanged. Try again in a minute.',
    );
    expect(formatInvoError(new InvoError('rate_limited', 'x', { retryAfterMs: 12_400 }))).toBe(
      'Waiting for a free call slot: this game’s calls to Invo are in use. Stored data is unchanged. Try again in 13 s.',
    );
    expect(formatInvoError(new InvoError('rejected', 'x', { errorCode: 'NEW_RULE' }))).toContain('NEW_RULE');
    expect(formatInvoError(malformed('totals.net_attributed_usd', 'expected a plain decimal string'))).toContain(
      'at totals.net_attributed_usd',
    );
  });
  it('a failed read of something that is never stored says nothing about stored data', () => {
    const format = (code: (typeof INVO_ERROR_CODES)[number]): string => formatInvoError(new InvoError(code, 'x'), { isUnstored: true });
    expect(format('upstream_fault')).toBe('Invo failed on its side. Try again in a few minutes.');
    for (const code of INVO_ERROR_CODES) expect(format(code)).not.toContain('tored');
  });
  it('a failed read by the email of a player never says that a subscription or period is missing', () => {
    const format = (errorCode: string | null): string =>
      formatInvoError(new InvoError('not_found', 'x', { errorCode }), { isPlayer: true });
    for (const code of ['SUBSCRIPTION_NOT_FOUND', 'PERIOD_NOT_FOUND'])
      expect(format(code)).toBe(
        `Invo answered that it has no such record for this player (${code}). Stored data is unchanged. Check the email, or search in another game.`,
      );
    expect(format(null)).toContain('no such record for this player. Stored');
    expect(format('PLAYER_NOT_FOUND')).toMatch(/^Invo doesn’t know this player/);
  });
  it('a failed read with a documented code has the sentence of the code', () => {
    expect(formatInvoError(new InvoError('rejected', 'x', { errorCode: 'STATUS_INVALID', errorId: 'err_1' }))).toMatch(
      /doesn’t know one of the statuses.*Quote err_1 to Invo\.$/,
    );
    expect(formatInvoError(new InvoError('not_found', 'x', { errorCode: 'PERIOD_NOT_FOUND' }))).toContain('doesn’t know this period');
    expect(formatInvoError(new InvoError('upstream_fault', 'x', { errorCode: 'INTERNAL_ERROR' }))).not.toContain('refund');
    expect(formatInvoError(new InvoError('rejected', 'x', { errorCode: 'PROCESSOR_ERROR' }))).not.toContain('refund');
    expect(formatInvoError(new InvoError('rejected', 'x', { errorCode: 'INVALID_BODY' }))).toContain('Nothing was changed');
  });
});

describe('a refund attempt', () => {
  test('a refund attempt that failed on the way has Sharebook’s own sentence, with the reference where there is one', () => {
    expect(formatAttemptError({ errorCode: 'timeout', facts: {}, errorId: null })).toBe('Invo didn’t respond in time.');
    expect(formatAttemptError({ errorCode: 'window_too_large', facts: {}, errorId: null })).toBe(
      'The window holds more than one report can carry.',
    );
    expect(formatAttemptError({ errorCode: 'upstream_fault', facts: {}, errorId: 'err_4' })).toBe(
      'Invo failed on its side. Quote err_4 to Invo.',
    );
    expect(formatAttemptError({ errorCode: 'redirected', facts: {}, errorId: null })).toContain('Check the base URL.');
    expect(formatAttemptError({ errorCode: 'approval_lapsed', facts: {}, errorId: null })).toContain('No money moved.');
  });
  test('a refund attempt that Invo refused says Invo’s figures', () => {
    const facts = { already_refunded_usd: '5.00', remaining_refundable_usd: '15.00' };
    expect(formatAttemptError({ errorCode: 'AMOUNT_EXCEEDS_REMAINING', facts, errorId: 'err_5' })).toMatch(
      /\$5\.00 of \$20\.00.*\$15\.00 is left.*err_5/,
    );
  });
  test('a refund attempt with an undocumented code, or the name of an object’s own property, quotes the code', () => {
    expect(formatAttemptError({ errorCode: 'toString', facts: {}, errorId: null })).toContain('(toString)');
  });
});
