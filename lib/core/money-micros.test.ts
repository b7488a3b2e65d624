import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareMoney, normalizeMoney, subtractMoney, sumMoney, toMicros } from './money.ts';

const Exact = Big();
Exact.strict = true;
Exact.NE = -40;
Exact.PE = 40;

test.each([
  ['0', 0],
  ['-0.00', 0],
  ['007.5', 7_500_000],
  ['-0.000001', -1],
  ['999999999.999999', 999_999_999_999_999],
  ['9999999999.999999', null],
  ['0.0000001', null],
  ['1e3', null],
  ['.5', null],
  ['1.', null],
  ['-', null],
  ['', null],
])('%s is %s millionths', (amount, micros) => {
  expect(toMicros(amount)).toBe(micros);
});

test('sums, differences and comparisons are those of exact decimals, whatever the size and places of the amounts', () => {
  fc.assert(
    fc.property(fc.array(anyAmount(), { minLength: 1, maxLength: 40 }), anyAmount(), (amounts, other) => {
      const places = Math.max(2, ...amounts.map(placesOf));
      expect(sumMoney(amounts)).toBe(noMinusZero(amounts.reduce((sum, amount) => sum.plus(amount), new Exact('0')).toFixed(places)));
      const [amount = '0'] = amounts;
      const difference = new Exact(amount).minus(other).toFixed(Math.max(2, placesOf(amount), placesOf(other)));
      expect(subtractMoney(amount, other)).toBe(noMinusZero(difference));
      // The form that stored digests were made from.
      expect(normalizeMoney(amount)).toBe(
        new Exact('0')
          .plus(amount)
          .toFixed(Math.max(2, placesOf(amount)))
          .replace(/(\.\d\d\d*?)0+$/, '$1'),
      );
      expect(compareMoney(amount, other)).toBe(new Exact(amount).cmp(other));
    }),
    { numRuns: 2_000 },
  );
});

test('a sum beyond the safe integers keeps its last digit', () => {
  expect(sumMoney([...Array.from({ length: 100_000 }, () => '999999999.999999'), '0.000001'])).toBe('99999999999999.900001');
});

function anyAmount(): fc.Arbitrary<string> {
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,6}$/), fc.stringMatching(/^\.\d{1,18}$/));
  return fc
    .tuple(fc.boolean(), fc.oneof(fc.stringMatching(/^\d{1,9}$/), fc.stringMatching(/^\d{1,30}$/)), fraction)
    .map(([isNegative, whole, rest]) => `${isNegative ? '-' : ''}${whole}${rest}`);
}

function placesOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function noMinusZero(amount: string): string {
  return /^-0\.0*$/.test(amount) ? amount.slice(1) : amount;
}
