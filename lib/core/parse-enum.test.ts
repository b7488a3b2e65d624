import { expect, test } from 'vitest';
import { knownWord, knownWordOrNull } from './parse-enum.ts';

const WORDS = ['landed', 'not_landed'] as const;

test('a word of the list is itself, and nothing stays nothing', () => {
  expect(knownWord(WORDS, 'landed')).toBe('landed');
  expect(knownWordOrNull(WORDS, 'landed')).toBe('landed');
  expect(knownWordOrNull(WORDS, null)).toBeNull();
});

test.each(['', 'Landed', 'length', '__proto__'])('%j is no word of the list', (text) => {
  expect(() => knownWordOrNull(WORDS, text)).toThrow(`${text} is none of landed, not_landed`);
});
