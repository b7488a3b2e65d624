import { describe, expect, test } from 'vitest';
import { maskEmailsIn, parseTypedAmount, parseTypedUsd, readWords, wholeCentsOf } from './typed-input.ts';

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
    [null, null],
  ])('%j is read as %j', (text, words) => {
    expect(readWords(text, 20)).toEqual({ words });
  });

  test('is as long as a browser counts it, and never cut', () => {
    expect(readWords(`${'x'.repeat(9)}\r\n${'y'.repeat(10)}`, 20)).toEqual({ words: `${'x'.repeat(9)}\n${'y'.repeat(10)}` });
    expect(readWords(` ${'x'.repeat(20)} `, 20)).toEqual({ words: 'x'.repeat(20) });
    expect(readWords('x'.repeat(21), 20)).toBe('too_long');
    expect(readWords('😀'.repeat(11), 20)).toBe('too_long');
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
