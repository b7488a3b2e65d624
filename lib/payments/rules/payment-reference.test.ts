import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findMistypedWords,
  findPaymentReferences,
  formatPaymentReference,
  listLikelyPayments,
  parsePaymentReference,
} from './payment-reference.ts';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const anyNumbers = fc.record({
  gameId: fc.integer({ min: 0, max: 703 }),
  runNo: fc.integer({ min: 0, max: 32_767 }),
  itemNo: fc.integer({ min: 0, max: 1_048_575 }),
});

describe('a payment reference', () => {
  test('of game 2, run 7, item 1868 is the one worked out by hand', () => {
    expect(formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1868 })).toBe('A200701TC8');
    expect(parsePaymentReference('A200701TC8')).toEqual({ gameId: 2, runNo: 7, itemNo: 1868 });
    expect(parsePaymentReference('a200701tc8')).toEqual({ gameId: 2, runNo: 7, itemNo: 1868 });
  });

  // The sums of Luhn mod 32 by hand. First: A 10 × 2 folds to 20, so the check letter is worth 12, a C.
  // Last: all letters Z. In five positions doubled, 62 folds to 1 + 30 = 31, in four single, 31: 9 × 31 = 279 = 8 × 32 + 23, so the check letter is worth 9.
  test.each([
    [{ gameId: 0, runNo: 0, itemNo: 0 }, 'A00000000C'],
    [{ gameId: 703, runNo: 32_767, itemNo: 1_048_575 }, 'ZZZZZZZZZ9'],
  ])('of the smallest and the highest numbers is read back: %j', (numbers, reference) => {
    expect(formatPaymentReference(numbers)).toBe(reference);
    expect(parsePaymentReference(reference)).toEqual(numbers);
  });

  test.each([
    { gameId: 704, runNo: 1, itemNo: 1 },
    { gameId: -1, runNo: 1, itemNo: 1 },
    { gameId: 1, runNo: 32_768, itemNo: 1 },
    { gameId: 1, runNo: 1, itemNo: 1_048_576 },
    { gameId: 1, runNo: 1.5, itemNo: 1 },
    { gameId: 1, runNo: Number.NaN, itemNo: 1 },
  ])('is refused for numbers it can’t carry: %j', (numbers) => {
    expect(() => formatPaymentReference(numbers)).toThrow('no payment reference has the');
  });

  test('has ten letters, begins with one of A to Z, and is read back in either case', () => {
    fc.assert(
      fc.property(anyNumbers, fc.boolean(), (numbers, isLower) => {
        const reference = formatPaymentReference(numbers);
        expect(reference).toMatch(/^[A-HJKMNP-TV-Z][0-9A-HJKMNP-TV-Z]{9}$/);
        expect(parsePaymentReference(isLower ? reference.toLowerCase() : reference)).toEqual(numbers);
      }),
    );
  });

  test('with any single wrong letter is refused', () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        const reference = formatPaymentReference(numbers);
        for (let index = 0; index < reference.length; index++)
          for (const letter of LETTERS)
            if (letter !== reference[index])
              expect(parsePaymentReference(reference.slice(0, index) + letter + reference.slice(index + 1))).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  test('with two neighbouring letters swapped is refused in at least 99.5 % of all cases', () => {
    let [swaps, undetected] = [0, 0];
    for (const { gameId, runNo, itemNo } of fc.sample(anyNumbers, { numRuns: 3_000, seed: 7 })) {
      const reference = formatPaymentReference({ gameId, runNo, itemNo });
      for (let index = 0; index + 1 < reference.length; index++) {
        const [one = '', other = ''] = reference.slice(index, index + 2);
        if (one === other) continue;
        swaps += 1;
        if (parsePaymentReference(reference.slice(0, index) + other + one + reference.slice(index + 2)) !== null) undetected += 1;
      }
    }
    expect(swaps).toBeGreaterThan(20_000);
    expect(1 - undetected / swaps).toBeGreaterThan(0.995);
  });

  test.each([
    '',
    'A200701TC',
    'A200701TC80',
    ' A200701TC8',
    'A200701TC8\n',
    'A20O701TC8',
    '0200701TC8',
    'A200701TC９',
    'A２00701TC8',
    'ａ200701TC8',
    'A200701TCß',
    '2.0701E+10',
  ])('is not %j', (text) => {
    expect(parsePaymentReference(text)).toBeNull();
  });
});

describe('the references in a text', () => {
  test.each<[string, string[]]>([
    ['A200701TC8', ['A200701TC8']],
    ['Payment a200701tc8, October', ['A200701TC8']],
    ['EREF+A200701TC8+SVWZ', ['A200701TC8']],
    ['ref_A200701TC8_x A00000000C', ['A200701TC8', 'A00000000C']],
    ['A200701TC8 and a200701tc8', ['A200701TC8']],
    ['XA200701TC8', []],
    ['A200701TC8X A200701TC81', []],
    ['A200701TC8́ éA200701TC8', []],
    ['A200701 TC8', []],
    ['the A200701TC9', []],
    ['', []],
  ])('%j are %j', (text, references) => {
    expect(findPaymentReferences(text)).toEqual(references);
  });

  test('are found wherever nothing touches them, in their order', () => {
    const between = fc.stringMatching(/^[ ,;:/|"'()\u{1f600}_-]{1,5}$/u);
    fc.assert(
      fc.property(fc.uniqueArray(anyNumbers.map(formatPaymentReference), { maxLength: 6 }), between, (references, gap) => {
        expect(findPaymentReferences(gap + references.join(gap) + gap)).toEqual(references);
      }),
    );
  });
});

describe('a word that may be a payment reference with one wrong letter', () => {
  test.each([
    ['RETURN A200701TC9', ['A200701TC9']],
    ['a2O07o1tc8/A200701TC8', ['A2O07O1TC8']],
    ['A200701TC A200701TC88 A200701TCÖ Überweisung', []],
  ])('is one of ten letters and digits that is none: %s', (text, words) => {
    expect(findMistypedWords(text)).toEqual(words);
  });

  test('leads to the payment that it was, among at most ten of the game', () => {
    fc.assert(
      fc.property(anyNumbers, fc.nat({ max: 9 }), fc.constantFrom(...LETTERS, 'I', 'L', 'O', 'U'), (numbers, index, letter) => {
        const reference = formatPaymentReference(numbers);
        fc.pre(letter !== reference[index]);
        const likely = listLikelyPayments(reference.slice(0, index) + letter + reference.slice(index + 1), numbers.gameId);
        expect(likely).toContainEqual(numbers);
        expect(likely.length).toBeLessThanOrEqual(10);
      }),
    );
  });

  test('leads to none of another game', () => {
    expect(listLikelyPayments('A200701TC9', 2)).toContainEqual({ gameId: 2, runNo: 7, itemNo: 1868 });
    expect(listLikelyPayments('A200701TC9', 40)).toEqual([]);
  });
});
