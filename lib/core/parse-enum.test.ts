import { expect, test } from 'vitest';
import { knownWord, knownWordOrNull } from './parse-enum.ts';

const WORDS = ['landed', 'not_landed'] as const;

test('a value of the list is returned, and null stays null', () => {
  expect(knownWord(WORDS, 'landed')).toBe('landed');
  expect(knownWordOrNull(WORDS, 'landed')).toBe('landed');
  expect(knownWordOrNull(WORDS, null)).toBeNull();
});

test.each(['', 'Landed', 'length', '__proto__'])('%j, which is not in the list, throws', (text) => {
  expect(() => knownWordOrNull(WORDS, text)).toThrow(`unknown stored value ${text}, expected one of landed, not_landed`);
});
