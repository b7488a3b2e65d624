import { describe, expect, it, test } from 'vitest';
import {
  isPrivate,
  isPrivateReference,
  maskEmailsIn,
  namesEmail,
  parseNumericId,
  parseRecordId,
  parseSubscriptionId,
  parseTypedAmount,
  parseTypedText,
  parseTypedUsd,
  wholeCentsOf,
} from './typed-input.ts';

test.each([
  ['4.50', '4.50'],
  [' 4,50 ', '4.50'],
  ['$4.50', '4.50'],
  ['$ 4', '4'],
  ['4,5', '4.5'],
  ['007.10', '007.10'],
  ['14.9950', '14.9950'],
  ['1,234.50', '1234.50'],
  ['$1,234,567.00', '1234567.00'],
  ['0,00', '0.00'],
  ['-5,5', '-5.5'],
])('%j is read as %s', (text, typed_usd) => {
  expect(parseTypedUsd(text)).toEqual({ typed_usd });
});

test.each([
  ['', 'not_an_amount'],
  ['all', 'not_an_amount'],
  ['1e1', 'not_an_amount'],
  ['NaN', 'not_an_amount'],
  ['١', 'not_an_amount'],
  ['4.', 'not_an_amount'],
  ['4.50 EUR', 'not_an_amount'],
  ['1234567890123', 'not_an_amount'],
  ['1,234', 'separators'],
  ['1.234,50', 'separators'],
  ['1,234,567', 'separators'],
  ['1.234.567', 'separators'],
  ['12,34.50', 'separators'],
  ['1,234.5', 'separators'],
  ['4,500', 'separators'],
  ['4 50', 'separators'],
  ['1\u00a0234,50', 'separators'],
])('%j is refused: %s', (text, error) => {
  expect(parseTypedUsd(text)).toEqual({ error });
});

test.each([
  ['5', '5.00'],
  ['5.5', '5.50'],
  ['5.500', '5.50'],
  ['007.10', '7.10'],
  ['5.505', null],
  ['0.001', null],
])('%s in whole cents is %s', (amount, cents) => {
  expect(wholeCentsOf(amount)).toBe(cents);
});

test.each([
  ['4.50', { amount_usd: '4.50' }],
  ['4', { amount_usd: '4.00' }],
  ['0', { error: 'not_above_zero' }],
  ['-1', { error: 'not_above_zero' }],
  ['4.505', { error: 'not_whole_cents' }],
  ['9.9955', { amount_usd: '9.99550' }],
  ['9.996', { error: 'more_than_left' }],
  ['10', { error: 'more_than_left' }],
  ['1,234', { error: 'separators' }],
  ['all', { error: 'not_an_amount' }],
])('%j, of 9.99550 at most, is %j', (text, result) => {
  expect(parseTypedAmount(text, { known_usd: '9.99550', max_usd: '9.99550' })).toEqual(result);
});

describe('what a person wrote', () => {
  test.each([
    ['  Too dear. \n', 'Too dear.'],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['a\u0000b\ud800', 'a\ufffdb\ufffd'],
    ['=1+1 \u202e😀', '=1+1 \u202e😀'],
    ['too_long', 'too_long'],
    [' \r\n ', null],
    ['', null],
    ['\u00a0\u200b', null],
    ['\u2060\ufeff\u00ad', null],
    ['\u3164\u2800', null],
    ['\u202e\u200d', null],
    ['\u200b1', '\u200b1'],
    [null, null],
  ])('%j is read as %j', (typed, text) => {
    expect(parseTypedText(typed, 20)).toEqual({ text });
  });

  test('is as long as a browser counts it, and never cut', () => {
    expect(parseTypedText(`${'x'.repeat(9)}\r\n${'y'.repeat(10)}`, 20)).toEqual({ text: `${'x'.repeat(9)}\n${'y'.repeat(10)}` });
    expect(parseTypedText(` ${'x'.repeat(20)} `, 20)).toEqual({ text: 'x'.repeat(20) });
    expect(parseTypedText('x'.repeat(21), 20)).toBe('too_long');
    expect(parseTypedText('😀'.repeat(11), 20)).toBe('too_long');
  });
});

test.each([
  ['Wrote from mira.holt@players.example, twice', 'Wrote from m•••@p•••.example, twice'],
  ['<a@b.example>;c@d.example', '<a•••@b•••.example>;c•••@d•••.example'],
  ['mailto:a@b.example', 'mailto:a•••@b•••.example'],
  ['“a@b.example”, said "c@d.example"', '“a•••@b•••.example”, said "c•••@d•••.example"'],
  ['Nothing to hide @ all', 'Nothing to hide @ all'],
])('emails are masked in %j', (text, masked) => {
  expect(maskEmailsIn(text)).toBe(masked);
});

test.each([
  ['as it is', '{"player_email":"asa.venn@players.example"}', true],
  ['in capitals', '{"player_email":"Asa.Venn@PLAYERS.example"}', true],
  ['as a name', '{"asa.venn@players.example":{"coins":1}}', true],
  ['escaped for JSON', String.raw`{"player_email":"asa.venn\u0040players.example"}`, true],
  ['escaped for a URL', '{"link":"https://x.example/?to=asa.venn%40players.example"}', true],
  ['at the end of a sentence, in bytes that are no JSON', 'for asa.venn@players.example.', true],
  ['within a longer one', '{"player_email":"masa.venn@players.example"}', false],
  ['with a longer host', '{"player_email":"asa.venn@players.example.org"}', false],
])('an email is found in bytes %s: %s', (_, body, isNamed) => {
  expect(namesEmail(new TextEncoder().encode(body), ['asa.venn@players.example'])).toBe(isNamed);
});

describe('ids in paths', () => {
  it.each([
    ['1', 1],
    ['2026100004', 2026100004],
    ['9007199254740991', 9007199254740991],
  ])('parses %s', (text, number) => {
    expect(parseNumericId(text)).toBe(number);
  });
  it.each(['', '0', '01', '-1', '1.5', '1e3', '9007199254740992', '99999999999999999', 'x'])('refuses %j as a numeric id', (text) => {
    expect(parseNumericId(text)).toBeNull();
  });
  it.each(['.', '..', '...', '', 'SUB_1\n', 'a/b', 'a b', 'x'.repeat(51), 'ann@example.test', 'a%2Fb'])(
    'refuses %j as a subscription id',
    (text) => {
      expect(parseSubscriptionId(text)).toBeNull();
    },
  );
  it.each(['.', '..', '', 'a/b', 'a b', 'a?b', 'a%2Fb', 'ann@example.test', 'x'.repeat(101)])(
    'refuses %j as the id of an order or a transfer',
    (text) => {
      expect(parseRecordId(text)).toBeNull();
    },
  );
  it.each(['ORD_BREE_03', 'TRF_1', '20261', 'a.b:c-d'])('accepts %s as the id of an order or a transfer', (text) => {
    expect(parseRecordId(text)).toBe(text);
  });
  it('accepts the subscription id format of Invo', () => {
    expect(parseSubscriptionId('SUB_1767225600_WITN04AL')).toBe('SUB_1767225600_WITN04AL');
  });
});

test.each([
  ['T-1042', false],
  ['T-20261129-000123', false],
  ['SUP-123456789012345', false],
  ['1042', false],
  ['123456789012', true],
  ['+49 151 1234567', true],
  ['T-4242424242424242', true],
  ['card 4242 4242 4242 4242', true],
  ['ask asa@players.example', true],
  ['pi_3Mtw_secret_YrKJ', true],
  ['T-12_secret_3', false],
])('the reference %j has something private: %s', (text, expected) => {
  expect(isPrivateReference(text)).toBe(expected);
});

test.each([
  ['card 4242_4242_4242_4242', true],
  ['4111–1111–1111–1111', true],
  ['4111 * 1111 * 1111 * 1111', true],
  ['call 0151 1234567', true],
  ['call 030/1234567', true],
  ['call (415) 555-0199', true],
  ['415-555-0199', true],
  ['on 01.11.2026 10:30 and 2026-11-29', false],
  ['event 2026-11-29T12:30:45Z of player 910023', false],
  ['order 1042, 3 × 12.50', false],
  ['version 1.2.345', false],
  ['call ＋４９ １５１ １２３４５６７８', true],
  ['her card said seti_1_secret_abc', true],
  ['paid on https://pay.example/checkout?token=abc', true],
  ['see https://tickets.example/browse/T-7?focus=3', false],
  ['the secret shop sells lanterns', false],
  ['chest_secret_01 is missing', false],
  ['https://tickets.example/t?code=T-1042', false],
])('the text %j has something private: %s', (text, expected) => {
  expect(isPrivate(text)).toBe(expected);
});
