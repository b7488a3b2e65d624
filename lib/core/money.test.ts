import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareMoney,
  floorCents,
  formatMoney,
  formatShare,
  formatUsd,
  multiplyMoney,
  negateMoney,
  normalizeMoney,
  parseMoney,
  prorateMoney,
  roundHalfEven,
  signOfMoney,
  subtractMoney,
  sumMoney,
  writeMoney,
} from './money.ts';

const TAKEN = [
  '0',
  '-0',
  '0.0',
  '1',
  '12',
  '1.5',
  '1.50',
  '-1.5',
  '-0.00',
  '007',
  '00.10',
  '0.000000000000000001',
  '9007199254740993',
  '-9007199254740993.01',
  `${'9'.repeat(30)}.${'9'.repeat(18)}`,
];

const REFUSED = [
  ['empty', ''],
  ['a space', ' '],
  ['a space before', ' 1.00'],
  ['a space after', '1.00 '],
  ['a line end after', '1.00\n'],
  ['a plus sign', '+1.00'],
  ['two minus signs', '--1.00'],
  ['a minus alone', '-'],
  ['a true minus', '−1.00'],
  ['a minus after', '1.00-'],
  ['brackets for negative', '(1.00)'],
  ['no digit before the point', '.50'],
  ['no digit after the point', '1.'],
  ['two points', '1.0.0'],
  ['a point alone', '.'],
  ['a decimal comma', '1,50'],
  ['thousands in commas', '1,000.00'],
  ['thousands in spaces', '1 000'],
  ['thousands in underscores', '1_000'],
  ['an exponent', '1e3'],
  ['a capital exponent', '1E-3'],
  ['hexadecimal', '0x10'],
  ['not a number', 'NaN'],
  ['infinity', 'Infinity'],
  ['negative infinity', '-Infinity'],
  ['a currency sign', '$1.00'],
  ['a currency name', '1.00 USD'],
  ['a percent sign', '5%'],
  ['Arabic digits', '١٢'],
  ['full-width digits', '１２'],
  ['nineteen places', `0.${'1'.repeat(19)}`],
  ['thirty-one digits', '1'.repeat(31)],
  ['a null byte', '1.00\u0000'],
  ['a number', 1.5],
  ['a whole number', 1],
  ['a big integer', 1n],
  ['a boolean', true],
  ['a list of one amount', ['1.00']],
  ['an object that reads as an amount', { toString: () => '1.00' }],
  ['null', null],
  ['nothing', undefined],
] as const;

describe('a parsed amount', () => {
  test.each(TAKEN)('%s is an amount and stays as written', (text) => {
    expect(parseMoney(text)).toBe(text);
  });
  test.each(REFUSED)('%s is none', (_, text) => {
    expect(parseMoney(text)).toBeNull();
  });
});

describe('sums', () => {
  test.each([
    [[], '0.00'],
    [['0.1', '0.2'], '0.30'],
    [['9007199254740993', '0.01'], '9007199254740993.01'],
    [['12345678901234.123456', '98765432109876.654321'], '111111111011110.777777'],
    [['0.000000000000000001', '999999999999999999999999999999'], '999999999999999999999999999999.000000000000000001'],
    [['1.005', '-1.005'], '0.000'],
    [['-3.10', '1'], '-2.10'],
    [['-0.00'], '0.00'],
  ])('%j add up to %s', (amounts, sum) => {
    expect(sumMoney(amounts)).toBe(sum);
  });

  test('a JavaScript number is refused, even a whole one', () => {
    expect(() => sumMoney([1 as unknown as string])).toThrow();
    expect(() => compareMoney('1', 1 as unknown as string)).toThrow();
  });

  test.each(['', '-', '1e3', '.5', '1.', ' 1.00', '+1.00', '0x10', 'NaN', '1.00-', '1.0-', '-1:00', '12:50'])('%j is refused', (text) => {
    expect(() => sumMoney([text])).toThrow('not an amount');
    expect(() => compareMoney(text, '1.00')).toThrow('not an amount');
  });

  test('beyond the safe integers have their last digit', () => {
    const amounts = Array.from({ length: 100_000 }, () => '999999999999.99');
    expect(sumMoney([...amounts, '0.000001'])).toBe('99999999999999000.000001');
    expect(sumMoney(['0.000001', ...amounts.map((amount) => `-${amount}`)])).toBe('-99999999999998999.999999');
  });

  test('a sum is the same in any order and grouping', () => {
    fc.assert(
      fc.property(fc.array(anyAmount()), fc.nat(), (amounts, cut) => {
        const index = amounts.length === 0 ? 0 : cut % amounts.length;
        expect(sumMoney(amounts.toReversed())).toBe(sumMoney(amounts));
        expect(compareMoney(sumMoney([sumMoney(amounts.slice(0, index)), sumMoney(amounts.slice(index))]), sumMoney(amounts))).toBe(0);
      }),
    );
  });

  test('subtracting and adding the same amount returns the original', () => {
    fc.assert(
      fc.property(anyAmount(), anyAmount(), (a, b) => {
        expect(compareMoney(sumMoney([subtractMoney(a, b), b]), a)).toBe(0);
        expect(compareMoney(negateMoney(negateMoney(a)), a)).toBe(0);
        expect(sumMoney([a, negateMoney(a)])).toMatch(/^0\.0+$/);
        expect(signOfMoney(subtractMoney(a, b))).toBe(compareMoney(a, b));
      }),
    );
  });
});

test.each([
  ['1.5', '1.50', 0],
  ['-0', '0.000', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['-0.000000000000000001', '0', -1],
  ['10', '9', 1],
  ['-10', '-9', -1],
] as const)('%s against %s is %i', (a, b, order) => {
  expect(compareMoney(a, b)).toBe(order);
});

test.each([
  ['5.00', '7.25', '-2.25'],
  ['5', '5', '0.00'],
  ['-0.00', '0', '0.00'],
  ['9007199254740993.01', '0.02', '9007199254740992.99'],
  ['1.005', '1', '0.005'],
])('%s less %s is %s', (amount, less, left) => {
  expect(subtractMoney(amount, less)).toBe(left);
});

test.each([
  ['0', '0.00'],
  ['0.00', '0.00'],
  ['-1.5', '1.50'],
  ['1.005', '-1.005'],
])('%s turned round is %s', (amount, turned) => {
  expect(negateMoney(amount)).toBe(turned);
});

test.each([
  ['12', '12.00'],
  ['12.5', '12.50'],
  ['12.50', '12.50'],
  ['12.505', '12.505'],
  ['-12', '-12.00'],
  ['1234567.891', '1234567.891'],
])('%s goes into a file as %s', (amount, written) => {
  expect(writeMoney(amount)).toBe(written);
});

test.each([
  ['0', '0.00'],
  ['-0.00', '0.00'],
  ['999', '999.00'],
  ['1000', '1,000.00'],
  ['1234567.891', '1,234,567.891'],
  ['-1234.5', '−1,234.50'],
  ['-0.005', '−0.005'],
  ['9007199254740993.01', '9,007,199,254,740,993.01'],
  ['0.000000000000000001', '0.000000000000000001'],
])('%s is shown as %s', (amount, shown) => {
  expect(formatMoney(amount)).toBe(shown);
});

test('a formatted amount parses back to the same amount, never clamped or rounded', () => {
  fc.assert(
    fc.property(anyAmount(), (amount) => {
      expect(compareMoney(formatMoney(amount).replaceAll(',', '').replace('−', '-'), amount)).toBe(0);
      expect(compareMoney(writeMoney(amount), amount)).toBe(0);
    }),
  );
});

test.each([
  ['1', '3', '33.3 %'],
  ['-1', '4', '−25.0 %'],
  ['0', '4', '0.0 %'],
  ['-0.0001', '4', '0.0 %'],
  ['12', '0.00', null],
])('%s of %s is a share of %s', (part, whole, share) => {
  expect(formatShare(part, whole)).toBe(share);
});

const UNIT_PLACES = 20;

/** The amount in units of 10^-20, by big integers alone. */
function toUnits(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(UNIT_PLACES, '0'));
  return amount.startsWith('-') ? -units : units;
}

test.each([
  ['1234.5', '$1,234.50'],
  ['-0.005', '−$0.005'],
  ['0', '$0.00'],
])('%s USD is shown in a sentence as %s', (amount, shown) => {
  expect(formatUsd(amount)).toBe(shown);
});

test('sums, differences, orders and normal forms are those of whole units, whatever the size and decimals of the amounts', () => {
  fc.assert(
    fc.property(fc.array(anyAmount(), { minLength: 1, maxLength: 40 }), anyAmount(), (amounts, other) => {
      const [amount = '0'] = amounts;
      const sum = sumMoney(amounts);
      expect(toUnits(sum)).toBe(amounts.reduce((units, each) => units + toUnits(each), 0n));
      expect(placesOf(sum)).toBe(Math.max(2, ...amounts.map(placesOf)));
      const difference = subtractMoney(amount, other);
      expect(toUnits(difference)).toBe(toUnits(amount) - toUnits(other));
      expect(placesOf(difference)).toBe(Math.max(2, placesOf(amount), placesOf(other)));
      const [units, otherUnits] = [toUnits(amount), toUnits(other)];
      expect(compareMoney(amount, other)).toBe(units < otherUnits ? -1 : Number(units > otherUnits));
      expect(toUnits(normalizeMoney(amount))).toBe(units);
      // The form that stored digests were made from.
      expect(normalizeMoney(amount)).toMatch(/^(-(?!0\.00$))?(0|[1-9]\d*)\.\d\d(\d*[1-9])?$/);
      for (const text of [sum, difference]) expect(text).toMatch(/^(-(?!0\.0+$))?(0|[1-9]\d*)\.\d+$/);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['0.005', '0.00', '0.00'],
  ['0.015', '0.02', '0.01'],
  ['0.0250000001', '0.03', '0.02'],
  ['0.999999999999999999', '1.00', '0.99'],
  ['99999999999999999999.995', '100000000000000000000.00', '99999999999999999999.99'],
  ['1.5', '1.50', '1.50'],
])('%s is %s rounded half to even, and has %s in whole cents', (amount, rounded, cents) => {
  expect([roundHalfEven(amount), floorCents(amount)]).toEqual([rounded, cents]);
  expect(roundHalfEven(`-${amount}`)).toBe(rounded === '0.00' ? rounded : `-${rounded}`);
});

test.each([
  ['10.00', '1', '3', '3.33'],
  ['10.00', '2', '3', '6.67'],
  ['0.01', '1', '2', '0.01'],
  ['-0.01', '1', '2', '-0.01'],
  ['9007199254740993.01', '1.50', '1.5', '9007199254740993.01'],
])('%s for %s of %s is %s', (amount, part, whole, share) => {
  expect(prorateMoney(amount, part, whole)).toBe(share);
});

test.each([
  ['1.005', 3, '3.015'],
  ['-2', 100, '-200.00'],
  ['-5', 0, '0.00'],
])('%s times %i is %s', (amount, times, product) => {
  expect(multiplyMoney(amount, times)).toBe(product);
});

function anyAmount(): fc.Arbitrary<string> {
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d\d$/), fc.stringMatching(/^\.\d{1,18}$/));
  return fc
    .tuple(fc.boolean(), fc.oneof(fc.stringMatching(/^\d{1,13}$/), fc.stringMatching(/^\d{1,30}$/)), fraction)
    .map(([isNegative, whole, rest]) => `${isNegative ? '-' : ''}${whole}${rest}`);
}

function placesOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}
