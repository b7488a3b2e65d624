import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInstants, earlierOf, fromMicroseconds, laterOf, parseInstant, toMicroseconds } from './instant.ts';

test.each([
  ['2026-10-01', '2026-10-01T00:00:00Z'],
  ['2026-10-01T12:30', '2026-10-01T12:30:00Z'],
  ['2026-10-01T12:30:15', '2026-10-01T12:30:15Z'],
  ['2026-10-01 12:30:15', '2026-10-01T12:30:15Z'],
  ['2026-10-01T12:30:15Z', '2026-10-01T12:30:15Z'],
  ['2026-10-01T12:30:15z', '2026-10-01T12:30:15Z'],
  ['2026-10-01T12:30:15.5Z', '2026-10-01T12:30:15.5Z'],
  ['2026-10-01T12:30:15,123456Z', '2026-10-01T12:30:15.123456Z'],
  ['2026-10-01T12:30:15.000Z', '2026-10-01T12:30:15.000Z'],
  ['2026-10-01T12:30:15.123456789012Z', '2026-10-01T12:30:15.123456789012Z'],
  ['2026-10-01T00:30:00+02:00', '2026-09-30T22:30:00Z'],
  ['2026-10-01T00:30:00+0200', '2026-09-30T22:30:00Z'],
  ['2026-10-01T00:30:00+02', '2026-09-30T22:30:00Z'],
  ['2026-09-30T23:45:00-10:00', '2026-10-01T09:45:00Z'],
  ['2026-10-01T00:00:00.250+05:45', '2026-09-30T18:15:00.250Z'],
  ['2026-10-01T00:00:00-00:00', '2026-10-01T00:00:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
])('%s is %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

test.each([
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['hour 24', '2026-10-01T24:00:00Z'],
  ['29 February of a common year', '2026-02-29'],
  ['31 September', '2026-09-31'],
  ['month 13', '2026-13-01'],
  ['month 0', '2026-00-01'],
  ['minute 60', '2026-10-01T12:60Z'],
  ['an offset of 19 hours', '2026-10-01T00:00:00+19:00'],
  ['an offset of 60 minutes', '2026-10-01T00:00:00+01:60'],
  ['a zone by name', '2026-10-01T00:00:00 Europe/Berlin'],
  ['an offset that became a space on the way', '2026-10-01T00:00:00 02:00'],
  ['a date with an offset', '2026-10-01+02:00'],
  ['a month alone', '2026-10'],
  ['a year of five digits', '+12026-10-01T00:00:00Z'],
  ['in year 0', '0000-06-01T00:00:00Z'],
  ['in year 0 by its offset', '0001-01-01T00:00:00+01:00'],
  ['before year 0', '0000-01-01T00:00:00+01:00'],
  ['after year 9999', '9999-12-31T23:59:59-01:00'],
  ['a point and no fraction', '2026-10-01T00:00:00.Z'],
  ['thirteen places', '2026-10-01T00:00:00.1234567890123Z'],
  ['a line end after', '2026-10-01T00:00:00Z\n'],
  ['a space before', ' 2026-10-01'],
  ['the American order', '10/01/2026'],
  ['seconds since 1970', '1790812800'],
  ['empty', ''],
  ['a number', 1_790_812_800_000],
  ['a Date', new Date(0)],
  ['null', null],
  ['nothing', undefined],
])('%s is no instant', (_, text) => {
  expect(parseInstant(text)).toBeNull();
});

describe('order', () => {
  test.each([
    ['2026-10-01T00:00:00Z', '2026-10-01T00:00:00.000Z', 0],
    ['2026-10-01T00:00:00.5Z', '2026-10-01T00:00:00.500000Z', 0],
    ['2026-10-01T00:00:00.5Z', '2026-10-01T00:00:00.49Z', 1],
    ['2026-10-01T00:00:00.000000001Z', '2026-10-01T00:00:00Z', 1],
    ['2026-09-30T23:59:59.999999999999Z', '2026-10-01T00:00:00Z', -1],
    ['2026-10-01T00:00:00.12Z', '2026-10-01T00:00:00.121Z', -1],
  ] as const)('%s against %s is %i', (a, b, order) => {
    expect(compareInstants(a, b)).toBe(order);
    expect(compareInstants(b, a)).toBe(order === 0 ? 0 : -order);
    expect(compareInstants(earlierOf(a, b), laterOf(a, b))).toBeLessThanOrEqual(0);
  });

  test('the order of instants is the order of their microseconds', () => {
    fc.assert(
      fc.property(microseconds(), microseconds(), (a, b) => {
        expect(compareInstants(fromMicroseconds(a), fromMicroseconds(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test('the same moment written with any offset is the same instant', () => {
    fc.assert(
      fc.property(microseconds(), fc.integer({ min: -14 * 60, max: 14 * 60 }), (us, offset) => {
        const here = fromMicroseconds(us + BigInt(offset) * 60_000_000n).slice(0, -1);
        const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, '0'));
        expect(parseInstant(`${here}${offset < 0 ? '-' : '+'}${hours}:${minutes}`)).toBe(fromMicroseconds(us));
      }),
    );
  });
});

describe('microseconds', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:00.000001Z', 1n],
    ['1970-01-01T00:00:00.25Z', 250_000n],
    ['1970-01-01T00:00:00.9999999Z', 999_999n],
    ['1969-12-31T23:59:59.5Z', -500_000n],
    ['2026-10-01T00:00:00Z', 1_790_812_800_000_000n],
  ])('%s is %s', (instant, us) => {
    expect(toMicroseconds(instant)).toBe(us);
  });

  test('microseconds convert back to the same instant, also before 1970, in the shortest form', () => {
    fc.assert(
      fc.property(microseconds(), (us) => {
        const instant = fromMicroseconds(us);
        expect(toMicroseconds(instant)).toBe(us);
        expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/);
        expect(parseInstant(instant)).toBe(instant);
      }),
    );
  });
});

/** From 1900 to 2200. */
function microseconds(): fc.Arbitrary<bigint> {
  return fc.bigInt(-2_208_988_800_000_000n, 7_258_118_400_000_000n);
}
