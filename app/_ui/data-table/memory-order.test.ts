import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareMoney } from '#lib/core/money.ts';
import { inCodePointOrder, type OrderKey, orderPlaces, scaleAmounts, sortableInstants } from './memory-order.ts';

const amount = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 10n ** 30n - 1n), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 }))
  .map(([isNegative, whole, fraction]) => `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);
const cents = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((value) => (value / 100).toFixed(2));

test.each([
  ['of any size and precision', amount],
  ['in cents', cents],
])('amounts %s are ordered exactly, those not reported first', (_, kind) => {
  fc.assert(
    fc.property(fc.array(fc.option(kind), { maxLength: 40 }), (amounts) => {
      const places = [...orderPlaces(amounts.length, [{ values: scaleAmounts(amounts) }])];
      const ordered = places.map((place) => amounts[place]);
      const expected = amounts.toSorted((a, b) =>
        a === null || b === null ? Number(b === null) - Number(a === null) : compareMoney(a, b),
      );
      expect(ordered).toEqual(expected);
    }),
  );
});

test('a difference beyond a float is seen', () => {
  const amounts = ['9007199254740993.000000000000000002', '9007199254740993.000000000000000001', '-0.00', '0.00'];
  expect([...orderPlaces(4, [{ values: scaleAmounts(amounts) }])]).toEqual([2, 3, 1, 0]);
});

test('a key may run against the others, and equal rows keep their order', () => {
  const net = { values: scaleAmounts(['5.00', '5.0', '7.00', '5']) };
  expect([...orderPlaces(4, [net, { values: [1, 2, 3, 4], isReversed: true }])]).toEqual([3, 1, 0, 2]);
  expect([...orderPlaces(4, [net])]).toEqual([0, 1, 3, 2]);
});

test('whole numbers, bigints and texts of any length are ordered as one comparison at a time orders them', () => {
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.maxSafeInteger(), fc.constant(Number.NEGATIVE_INFINITY));
  const key = (count: number) =>
    fc.record({
      values: fc.oneof(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: count, maxLength: count }),
        fc.array(number, { minLength: count, maxLength: count }),
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: count, maxLength: count }),
        fc.array(fc.bigInt({ min: -2n, max: 2n }), { minLength: count, maxLength: count }),
      ),
      isReversed: fc.boolean(),
    });
  const lists = fc.integer({ min: 0, max: 120 }).chain((count) => fc.tuple(fc.constant(count), fc.array(key(count), { maxLength: 3 })));
  fc.assert(
    fc.property(lists, ([count, drawn]) => {
      const keys = drawn.map(({ values, isReversed }): OrderKey => ({ values: values as number[], ...(isReversed ? { isReversed } : {}) }));
      const expected = Array.from({ length: count }, (_, place) => place).toSorted((a, b) => {
        for (const { values, isReversed } of keys) {
          const [one, other] = [values[a] as number, values[b] as number];
          if (one !== other) return one < other === (isReversed !== true) ? -1 : 1;
        }
        return a - b;
      });
      expect([...orderPlaces(count, keys)]).toEqual(expected);
    }),
  );
});

test('instants with other fractions are ordered by time', () => {
  const instants = ['2026-10-01T00:00:00.10Z', '2026-10-01T00:00:00Z', null, '2026-10-01T00:00:00.1000001Z', '2026-10-01T00:00:00.1Z'];
  expect([...orderPlaces(5, [{ values: sortableInstants(instants) }])]).toEqual([2, 1, 0, 4, 3]);
});

test('texts are ordered by code point, not by UTF-16 unit', () => {
  expect([...orderPlaces(4, [{ values: ['\u{1F732}', '\uFF1D', 'z', '\uD7FF'].map(inCodePointOrder) }])]).toEqual([2, 3, 1, 0]);
});
