import { expect, test } from 'vitest';
import { parseEnum, parseEnumOrNull } from './strings.ts';

const VALUES = ['landed', 'not_landed'] as const;

test('a value of the list is returned, and null stays null', () => {
  expect(parseEnum(VALUES, 'landed')).toBe('landed');
  expect(parseEnumOrNull(VALUES, 'landed')).toBe('landed');
  expect(parseEnumOrNull(VALUES, null)).toBeNull();
});

test.each(['', 'Landed', 'length', '__proto__'])('%j, which is not in the list, throws', (text) => {
  expect(() => parseEnumOrNull(VALUES, text)).toThrow(`unknown stored value ${text}, expected one of landed, not_landed`);
});
