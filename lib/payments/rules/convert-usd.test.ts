import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertUsdToEur, fileAmount, returnFee_usd, sumPayments } from './convert-usd.ts';

test.each([
  ['120.35', '1.15', '104.65'],
  ['15.00', '1.15', '13.04'],
  ['50.00', '1.15', '43.48'],
  // A half goes to the even cent: 0.125, 0.135 and 0.005.
  ['0.25', '2', '0.12'],
  ['0.27', '2', '0.14'],
  ['0.01', '2', '0.00'],
  ['0.03', '2', '0.02'],
  ['0.01', '1.999999999999999999', '0.01'],
  ['0.01', '3', '0.00'],
  ['99999999999999.99', '1', '99999999999999.99'],
  ['1.00', '0.000000000000000001', '1000000000000000000.00'],
])('%s USD at %s are %s EUR', (amount_usd, rate, amount) => {
  expect(convertUsdToEur(amount_usd, rate)).toBe(amount);
});

test.each([
  ['1.00', '0'],
  ['1.00', '-1'],
  ['1.00', '1e3'],
  ['1.00', ''],
  ['0.00', '1'],
  ['-1.00', '1'],
  ['NaN', '1'],
])('%j USD at %j are refused', (amount_usd, rate) => {
  expect(() => convertUsdToEur(amount_usd, rate)).toThrow('not a decimal above zero');
});

test('an amount in EUR is within half a cent of the exact quotient', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 7n), (cents, rate) => {
      const write = (units: bigint, places: number) =>
        `${units / 10n ** BigInt(places)}.${String(units % 10n ** BigInt(places)).padStart(places, '0')}`;
      const eurCents = BigInt(convertUsdToEur(write(cents, 2), write(rate, 6)).replace('.', ''));
      // eurCents × rate = cents, with a rate in millionths: twice the difference is at most one rate.
      const difference = eurCents * rate - cents * 1_000_000n;
      expect((difference < 0n ? -difference : difference) * 2n <= rate).toBe(true);
    }),
  );
});

test('SEPA is in EUR at the rate, and everything else in the same USD', () => {
  expect(fileAmount({ method: 'sepa', rate: { usd_per_eur: '1.15', source: 'ECB' } }, '50.00')).toEqual({
    currency: 'EUR',
    amount: '43.48',
  });
  expect(fileAmount({ method: 'sepa', rate: null }, '50.00')).toBeNull();
  expect(fileAmount({ method: 'sepa', rate: { usd_per_eur: '0.00', source: '' } }, '50.00')).toBeNull();
  expect(fileAmount({ method: 'wire_usd', rate: null }, '50.00')).toEqual({ currency: 'USD', amount: '50.00' });
});

test('the total of a file is the sum of its rounded amounts, not the rounded sum', () => {
  const items = ['0.01', '0.01', '0.01'].map((amount_usd) => ({ amount_usd, amount: convertUsdToEur(amount_usd, '1.15') }));
  expect(sumPayments(items)).toEqual({ total_usd: '0.03', total_file: '0.03' });
  expect(convertUsdToEur('0.04', '1.15')).toBe('0.03');
});

test('what banks withhold of a return is the missing part of its USD', () => {
  expect(returnFee_usd({ amount_usd: '120.35', amount: '120.35' }, '105.35')).toBe('15.00');
  // At 1.1000 USD for one EUR: 100.00 EUR are 110.00 USD, and 9.05 EUR are 9.955, half to even.
  expect(returnFee_usd({ amount_usd: '110.00', amount: '100.00' }, '90.95')).toBe('9.96');
  expect(returnFee_usd({ amount_usd: '110.00', amount: '100.00' }, '0.00')).toBe('110.00');
  expect(() => returnFee_usd({ amount_usd: '110.00', amount: '100.00' }, '100.00')).toThrow('not a decimal above zero');
});
