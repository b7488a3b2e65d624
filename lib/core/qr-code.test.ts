import { describe, expect, test } from 'vitest';
import { correctErrors, encodeQr, withRemainder } from './qr-code.ts';

test('the error correction of HELLO WORLD in version 1-M is that of published examples', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(correctErrors(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test.each([
  [0, '101010000010010'],
  [1, '101000100100101'],
  [7, '100101010011111'].map((each) => each) as [number, string],
])('the format of level M with mask %i is that of the table in the standard', (mask, bits) => {
  expect((withRemainder(mask, 10, 0x537) ^ 0x5412).toString(2).padStart(15, '0')).toBe(bits);
});

test.each([
  [7, '000111110010010100'],
  [8, '001000010110111100'],
  [10, '001010010011010011'],
])('version %i is written as in the table of the standard', (version, bits) => {
  expect(withRemainder(version, 12, 0x1f25).toString(2).padStart(18, '0')).toBe(bits);
});
