import { expect, test } from 'vitest';
import { formatChange, formatGrowth } from './format-change.ts';

test.each([
  ['48213.07', '44308.95', '+ 3,904.12 (+ 8.8 %)'],
  ['90.00', '100.0000', '− 10.0000 (− 10.0 %)'],
  ['10', '10.00', 'no change'],
  ['5.00', '0.00', '+ 5.00'],
  ['5.00', '-5.00', '+ 10.00'],
  ['-36.00', '4.00', '− 40.00 (− 1000.0 %)'],
])('%s against %s is told as %s', (amount, before, told) => {
  expect(formatChange(amount, before)).toBe(told);
});

test.each([
  ['110.00', '100.00', '+ 10.0 %'],
  ['90.00', '100.00', '− 10.0 %'],
  ['1.00', '0.00', '+ 1.00'],
  ['1.00', '1.0', 'no change'],
])('%s after %s grew by %s', (amount, before, told) => {
  expect(formatGrowth(amount, before)).toBe(told);
});
