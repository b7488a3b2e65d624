import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { SEARCH_ERRORS } from '../text.ts';
import { parseSearch, type SearchError, type SearchIdKind } from './parse-search.ts';

const OTHERS: SearchIdKind[] = ['transaction', 'order', 'transfer', 'payment_intent', 'client_request', 'idempotency_key', 'event'];

describe('parseSearch', () => {
  it.each<[string, Record<string, unknown>, SearchIdKind[]]>([
    ['ann@example.test', { email: 'ann@example.test' }, ['email']],
    ['  <Ann@Example.test>\n', { email: 'Ann@Example.test' }, ['email']],
    ['mailto:ann@example.test', { email: 'ann@example.test' }, ['email']],
    ['2026100004', { number: 2026100004 }, ['player', 'period', ...OTHERS]],
    ['\ufeff9003\u200b', { number: 9003 }, ['player', 'period', ...OTHERS]],
    ['SUB_1767225600_WITN04AL', { subscriptionId: 'SUB_1767225600_WITN04AL' }, ['subscription']],
    ['sub_1767225600_WITN04AL', { subscriptionId: 'SUB_1767225600_WITN04AL' }, ['subscription']],
    ['TXN_2026100004', { recordId: 'TXN_2026100004' }, OTHERS],
    ['sharebook-production-7f3a', { recordId: 'sharebook-production-7f3a' }, OTHERS],
    ['Ab+/=', { recordId: null }, OTHERS],
    ['9007199254740993', { recordId: '9007199254740993' }, OTHERS],
    ['0', {}, OTHERS],
    ['a200701tc8', { text: 'a200701tc8', recordId: 'a200701tc8', references: ['A200701TC8'] }, ['payment', ...OTHERS]],
    ['05.11.2026 PAYPAL *A200701TC8 USD 13.50 ann@example.test', { text: 'A200701TC8', references: ['A200701TC8'] }, ['payment']],
    [`${'x '.repeat(200)}A200701TC8`, { text: 'A200701TC8', references: ['A200701TC8'] }, ['payment']],
    ['SBB40aec45-1-28', { recordId: 'SBB40aec45-1-28', messageId: 'SBB40AEC45-1-28' }, ['payment', ...OTHERS]],
    ['05.11. SEPA batch SBB40AEC45-1-28/1.234,00 EUR', { text: 'SBB40AEC45-1-28', messageId: 'SBB40AEC45-1-28' }, ['payment']],
    ['A200701TC9', { references: [], isMistyped: true }, OTHERS],
    ['A200 701TC8', { text: 'A200701TC8', references: ['A200701TC8'] }, ['payment']],
    ['EREF+a200701T\nC8 13.50', { text: 'A200701TC8', references: ['A200701TC8'] }, ['payment']],
    ['A200701TC8SVWZ+x', { text: 'A200701TC8SVWZ+x', references: ['A200701TC8'] }, ['payment', ...OTHERS]],
    ['EREFA200701TC8', { references: ['A200701TC8'], isMistyped: false }, ['payment', ...OTHERS]],
    ['a 2007 01tc8', { text: 'A200701TC8', references: ['A200701TC8'] }, ['payment']],
    ['b0zz zzzz zh', { text: 'B0ZZZZZZZH', references: ['B0ZZZZZZZH'] }, ['payment']],
    ['a2007 01tc9', { references: [], isMistyped: true }, ['payment']],
    ['05.11. PAYPAL A200701TC9 13.50', { references: [], isMistyped: true }, ['payment']],
    ['TRANSFER-11 in', { text: 'TRANSFER-11 in', isMistyped: false }, ['payment']],
    ['12 34', { text: '12 34' }, ['payment']],
    ['00123', { number: 123 }, ['player', 'period', ...OTHERS]],
  ])('parses %j', (typed, as, kinds) => {
    const read = parseSearch(typed);
    expect(read).toMatchObject({ ok: true, query: { email: null, number: null, subscriptionId: null, ...as, kinds } });
  });

  it.each<[string, SearchError]>([
    ['', 'empty'],
    ['   \n', 'empty'],
    ['\u200b', 'empty'],
    ['x'.repeat(256), 'too_long'],
    ['ann@', 'not_an_email'],
    ['@example.test', 'not_an_email'],
    ['a@b@c', 'not_an_email'],
    [`${'a'.repeat(129)}@example.test`, 'not_an_email'],
    ['two\u0007 words', 'not_an_id'],
    ['a\u0000b', 'not_an_id'],
    ['a\ud800', 'not_an_id'],
  ])('refuses %j as %s', (typed, error) => {
    expect(parseSearch(typed)).toEqual({ ok: false, error });
    expect(SEARCH_ERRORS[error]).toMatch(/\.$/);
  });

  it('never throws, and what it accepts has at most 255 characters, and no spaces unless a bank may have reported it', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 60 }), (typed) => {
        const read = parseSearch(typed);
        return (
          !read.ok ||
          (read.query.text.length <= 255 &&
            (!/\s/.test(read.query.text) || read.query.kinds.join() === 'payment') &&
            read.query.kinds.length > 0)
        );
      }),
    );
  });
});
