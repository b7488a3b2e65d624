import { describe, expect, it } from 'vitest';
import { InvoError, invoErrorCodes, malformed } from './invo-error.ts';
import { sayInvoError } from './say-invo-error.ts';

describe('sayInvoError', () => {
  it.each(invoErrorCodes)('says something of its own for %s, with the id to quote', (code) => {
    const said = sayInvoError(new InvoError(code, 'x', { errorId: 'err_1' }));
    expect(said).toMatch(/^[A-Z].{30,}\. Quote err_1 to Invo\.$/);
    expect(sayInvoError(new InvoError(code, 'x'))).not.toContain('Quote');
    const others = invoErrorCodes.filter((other) => other !== code).map((other) => sayInvoError(new InvoError(other, 'x')));
    expect(others).not.toContain(sayInvoError(new InvoError(code, 'x')));
  });
  it('names a wrong secret in one sentence, and tells a game that is not live apart', () => {
    expect(sayInvoError(new InvoError('unauthorized', 'x')).match(/\./g)).toHaveLength(1);
    expect(sayInvoError(new InvoError('unauthorized', 'x'))).toContain('secret');
    expect(sayInvoError(new InvoError('not_live', 'x'))).toContain('neither live nor in testing');
  });
  it('carries what Invo said: counts, waits, its code, the field that broke the contract', () => {
    expect(sayInvoError(new InvoError('window_too_large', 'x', { facts: { settled_renewals: 20_001, max_renewals: 20_000 } }))).toContain(
      '20001 settled renewals, at most 20000',
    );
    expect(sayInvoError(new InvoError('window_too_large', 'x', { facts: { reversals: 20_500 } }))).toContain(
      '20500 refunded renewals, more than allowed',
    );
    expect(sayInvoError(new InvoError('rate_limited', 'x', { retryAfterMs: 12_400 }))).toContain('wait 13 s');
    expect(sayInvoError(new InvoError('rejected', 'x', { errorCode: 'NEW_RULE' }))).toContain('NEW_RULE');
    expect(sayInvoError(malformed('totals.net_attributed_usd', 'expected a plain decimal string'))).toContain(
      'at totals.net_attributed_usd',
    );
  });
  it('speaks in the words of a code the contract names', () => {
    expect(sayInvoError(new InvoError('rejected', 'x', { errorCode: 'STATUS_INVALID', errorId: 'err_1' }))).toMatch(
      /does not know one of the statuses.*Quote err_1 to Invo\.$/,
    );
    expect(sayInvoError(new InvoError('not_found', 'x', { errorCode: 'PERIOD_NOT_FOUND' }))).toContain('does not know this period');
    expect(sayInvoError(new InvoError('upstream_fault', 'x', { errorCode: 'INTERNAL_ERROR' }))).not.toContain('refund');
    expect(sayInvoError(new InvoError('rejected', 'x', { errorCode: 'PROCESSOR_ERROR' }))).not.toContain('refund');
    expect(sayInvoError(new InvoError('rejected', 'x', { errorCode: 'INVALID_BODY' }))).toContain('This only read');
  });
});
