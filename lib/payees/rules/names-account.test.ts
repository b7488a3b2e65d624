import { describe, expect, test } from 'vitest';
import type { TypedDetails } from './details.ts';
import { namesAccount, parseSharedNote, parseSharedText } from './names-account.ts';

const IBAN = 'DE89370400440532013000';

test.each<[string, TypedDetails, boolean]>([
  ['New account de89 3704-0044 0532 0130 00, by telephone', { iban: IBAN }, true],
  ['Paid to MIRA@example.com now', { email: 'mira@example.com' }, true],
  ['account 12345 67890', { account_number: '1234567890' }, true],
  ['account 12345_\u200b67890', { account_number: '1234567890' }, true],
  ['By telephone on 12 May', { email: 'mira@example.com', iban: IBAN, account_number: '1234567890' }, false],
  ['By telephone, ends in 3000', { iban: IBAN }, false],
  ['By telephone', {}, false],
])('a reason “%s” with %j names the account: %s', (reason, entries, isNamed) => {
  expect(namesAccount(reason, entries)).toBe(isNamed);
});

describe('a text that other people read', () => {
  test.each([
    'now to DE89370400440532013000',
    'now to de89 3704 0044 0532 0130 00, please',
    'IBAN:DE89-3704-0044-0532-0130-00',
    'DE89\u200b3704\u200b00440532013000',
    'ＤＥ89370400440532013000',
    'NO9386011117947',
    'Pay MT84MALT011000012345MTLCAST001S by hand',
  ])('“%s” is refused, because it names an IBAN', (text) => {
    expect([parseSharedNote(text, 500), parseSharedText(text, 500)]).toEqual([
      { ok: false, reason: 'account' },
      { ok: false, reason: 'account' },
    ]);
  });

  test.each([
    'now to DE88370400440532013000',
    'Upload 0012 of 2026-11-05',
    'A100C000MA was returned, AC04',
    'Ends in 3000, DE by telephone on 12 May 2026',
    'US64SVBKUS6S3300958879',
  ])('“%s” is stored', (text) => {
    expect(parseSharedNote(text, 500)).toEqual({ ok: true, text });
  });

  test('may be empty where it isn’t needed', () => {
    expect([parseSharedNote(' ', 5), parseSharedText(' ', 5), parseSharedText('123456', 5)]).toEqual([
      { ok: false, reason: 'missing' },
      { ok: true, text: null },
      { ok: false, reason: 'too_long' },
    ]);
  });
});
