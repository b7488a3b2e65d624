import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseInstant } from '#lib/core/instant.ts';
import { count, flag, instant, list, maybe, money, optionalText, percent, textId } from './fields.ts';

describe('money', () => {
  const hostile = [
    5,
    5.5,
    -0,
    Number.NaN,
    null,
    undefined,
    true,
    [],
    {},
    ['5.00'],
    '',
    ' ',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e5',
    '1E5',
    '1e-5',
    '+5',
    ' 5',
    '5 ',
    '5\n',
    '5.',
    '.5',
    '-',
    '--5',
    '-.5',
    '5,00',
    '1,000.00',
    "1'000",
    '1_000',
    '0x10',
    '0b1',
    '٥',
    '５',
    '5.00 USD',
    '$5',
    '5.00.00',
    '−5',
    '5\u0000',
    '5.0000000000000000001',
    '5n',
  ];
  it.each(hostile.map((value) => [value]))('money refuses %j', (value) => {
    expect(money.safeParse(value).success).toBe(false);
  });
  it.each(['0', '0.00', '-0.00', '10', '-10.5', '0.000000000000000001', '123456789012345678901234567890.12'])(
    'money has every digit of %s',
    (text) => {
      expect(money.parse(text)).toBe(text);
    },
  );
  it('money is every plain decimal as received, and refuses the same amount as a number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,20}(\.\d{1,18})?$/), (text) => {
        expect(money.parse(text)).toBe(text);
        expect(money.safeParse(Number(text)).success).toBe(false);
      }),
    );
  });
});

describe('ids, counts and percentages', () => {
  it('an ID given as text or as a number becomes text', () => {
    expect([textId.parse(55), textId.parse('55'), textId.parse('TX-1/é')]).toEqual(['55', '55', 'TX-1/é']);
  });
  it.each([[2 ** 53], [1.5], [''], ['a\u0000'], ['\ud800'], [null], [{}], ['x'.repeat(256)], [1e400]])(
    '%j is refused as an ID',
    (value) => {
      expect(textId.safeParse(value).success).toBe(false);
    },
  );
  it.each([[2 ** 53], [1.5], [-1], ['1'], [null], [Number.POSITIVE_INFINITY], [true]])('%j is refused as a count', (value) => {
    expect(count.safeParse(value).success).toBe(false);
  });
  it('a percentage stays its text', () => {
    expect([percent.parse('12.50'), percent.parse(12.5), percent.parse(0)]).toEqual(['12.50', '12.5', '0']);
  });
  it.each([['12 %'], [Number.POSITIVE_INFINITY], [1e-9], [null], ['1e1']])('%j is refused as a percentage', (value) => {
    expect(percent.safeParse(value).success).toBe(false);
  });
});

describe('tolerated fields', () => {
  const shape = z.object({ amount: maybe(money), text: optionalText, is_so: flag, at: maybe(instant) });
  it('a tolerated field reads absent and null alike', () => {
    const nothing = { amount: null, text: null, is_so: null, at: null };
    expect(shape.parse({})).toEqual(nothing);
    expect(shape.parse(nothing)).toEqual(nothing);
  });
  it('a tolerated amount that is unreadable is refused, and unexpected text is read as absent', () => {
    expect(shape.safeParse({ amount: 5 }).success).toBe(false);
    expect(shape.parse({ text: 7, is_so: 'yes' })).toMatchObject({ text: null, is_so: null });
  });
  it('NUL and lone surrogates in names are replaced, everything else stays', () => {
    expect(optionalText.parse('a\u0000b\ud800c')).toBe('a\ufffdb\ufffdc');
    expect(optionalText.parse('=1+1 \u202e😀')).toBe('=1+1 \u202e😀');
  });
  it('an instant with any offset is written as UTC with its fraction', () => {
    expect(instant.parse('2026-03-01T01:00:00.1200+02:00')).toBe('2026-02-28T23:00:00.1200Z');
    expect(instant.safeParse(1772323200000).success).toBe(false);
  });
  it('an instant of a day seen before is read exactly as one of a new day', () => {
    const parts = ['2026-02-28', '2026-02-29', '2024-02-29', '2026-13-01', '2026-03-01 ', '9999-12-31'];
    const times = [
      'T00:00:00Z',
      'T23:59:59.123456Z',
      'T24:00:00Z',
      'T23:60:00Z',
      'T23:59:60Z',
      'T00:00:00',
      'T00:00:00+14:00',
      '',
      'T00:00Z',
      'T00:00:00.Z',
      'T00:00:00z',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...parts), fc.constantFrom(...times), (day, time) => {
        expect(instant.safeParse(day + time).data ?? null).toBe(parseInstant(day + time));
      }),
      { numRuns: 500 },
    );
  });
});

describe('list', () => {
  it('a list names the first element that doesn’t fit and looks no further', () => {
    let looks = 0;
    const element = z.object({ amount: z.custom<string>((value) => ++looks > 0 && typeof value === 'string') });
    const reading = z.object({ lines: list(element, 9) }).safeParse({ lines: [{ amount: '1' }, { amount: 1 }, { amount: 2 }] });
    expect(reading.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['lines.1.amount']);
    expect(looks).toBe(2);
  });
  it('a list refuses more than it may hold, and values that aren’t lists', () => {
    expect(list(count, 2).safeParse([1, 2, 3]).success).toBe(false);
    expect(list(count, 2).safeParse({ length: 1, 0: 1 }).success).toBe(false);
    expect(z.object({ lines: list(count, 2) }).safeParse({}).success).toBe(false);
  });
});
