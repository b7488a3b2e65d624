import { describe, expect, test } from 'vitest';
import { maskEmailsIn, parseTypedText } from './typed-text.ts';

describe('typed text', () => {
  test.each([
    ['  Too dear. \n', 'Too dear.'],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['a\u0000b\ud800', 'a\ufffdb\ufffd'],
    ['=1+1 \u202e😀', '=1+1 \u202e😀'],
    ['too_long', 'too_long'],
    [' \r\n ', null],
    ['', null],
    [null, null],
  ])('%j is read as %j', (typed, text) => {
    expect(parseTypedText(typed, 20)).toEqual({ text });
  });

  test('has the length a browser counts and is never cut', () => {
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
])('%s', (text, masked) => {
  expect(maskEmailsIn(text)).toBe(masked);
});
