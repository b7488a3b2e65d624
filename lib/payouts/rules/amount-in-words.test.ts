import { expect, test } from 'vitest';
import { formatAmountInWords } from './amount-in-words.ts';

test.each([
  ['0', 'Zero dollars and zero cents'],
  ['0.00', 'Zero dollars and zero cents'],
  ['0.01', 'Zero dollars and one cent'],
  ['1', 'One dollar and zero cents'],
  ['1.5', 'One dollar and fifty cents'],
  ['10.10', 'Ten dollars and ten cents'],
  ['19.99', 'Nineteen dollars and ninety-nine cents'],
  ['21', 'Twenty-one dollars and zero cents'],
  ['40.40', 'Forty dollars and forty cents'],
  ['100', 'One hundred dollars and zero cents'],
  ['185.35', 'One hundred eighty-five dollars and thirty-five cents'],
  ['1000.05', 'One thousand dollars and five cents'],
  ['12012.00', 'Twelve thousand twelve dollars and zero cents'],
  ['1000001.50', 'One million one dollars and fifty cents'],
  ['1914315.16', 'One million nine hundred fourteen thousand three hundred fifteen dollars and sixteen cents'],
  ['2000000000.00', 'Two billion dollars and zero cents'],
  ['120.3500', 'One hundred twenty dollars and thirty-five cents'],
  [
    '999999999999999.99',
    'Nine hundred ninety-nine trillion nine hundred ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine dollars and ninety-nine cents',
  ],
])('%s USD is written as "%s"', (amount, words) => {
  expect(formatAmountInWords(amount)).toBe(words);
});

test.each(['-1.00', '-0.01', '0.001', '120.3456', '1000000000000000', '', '1,000.00', '1e3', 'NaN'])(
  '"%s" is nothing a run pays, so it has no words',
  (amount) => {
    expect(formatAmountInWords(amount)).toBeNull();
  },
);
