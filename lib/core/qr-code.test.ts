import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { correctErrors, encodeQr, withRemainder } from './qr-code.ts';

// The pattern in three corners, as the standard pictures it.
const FINDER = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######'];

test('the error correction of HELLO WORLD in version 1-M is that of published examples', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  expect(correctErrors(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test.each([
  [0, '101010000010010'],
  [1, '101000100100101'],
  [7, '100101010100000'],
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

describe.each([
  [1, 21],
  [14, 21],
  [15, 25],
  [42, 29],
  [62, 33],
  [84, 37],
  [106, 41],
  [122, 45],
  [152, 49],
  [180, 53],
  [213, 57],
])('a text of %i bytes', (length, size) => {
  const rows = (encodeQr('é'.repeat(Math.floor(length / 2)).padEnd(Math.ceil(length / 2), 'x')) ?? []).map((row) =>
    row.map((isDark) => (isDark ? '#' : '.')).join(''),
  );

  test(`is a square of ${size} modules with three finders and the dark module`, () => {
    expect(rows.map((row) => row.length)).toEqual(Array.from({ length: size }, () => size));
    const corner = (y: number, x: number): string[] => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
    expect([corner(0, 0), corner(0, size - 7), corner(size - 7, 0)]).toEqual([FINDER, FINDER, FINDER]);
    expect(corner(size - 7, size - 7)).not.toEqual(FINDER);
    expect(rows[size - 8]?.[8]).toBe('#');
  });

  test('says level M and its mask twice', () => {
    const around = [...[0, 1, 2, 3, 4, 5, 7].map((x) => rows[8]?.[x]), ...[8, 7, 5, 4, 3, 2, 1, 0].map((y) => rows[y]?.[8])].join('');
    const apart = [...[1, 2, 3, 4, 5, 6, 7].map((up) => rows[size - up]?.[8]), ...(rows[8]?.slice(size - 8) ?? '')].join('');
    expect(apart).toBe(around);
    expect(around).toMatch(/^[#.]{15}$/);
  });
});

// Symbols that a decoder which isn't ours read back to their text: of one block, of four, and of five with blocks of two lengths.
const SHAREBOOK = `
#######..#.#..#######
#.....#...##..#.....#
#.###.#.#####.#.###.#
#.###.#.#.#...#.###.#
#.###.#.###.#.#.###.#
#.....#.#.##..#.....#
#######.#.#.#.#######
........##...........
#.#####...##..#####..
..###..#.########...#
####.##..#..###...##.
##......#.####..#####
..#.#.#..##.#.#.#....
........#.#.#.###.##.
#######...##.##..###.
#.....#.#.#....#####.
#.###.#.####...#.#..#
#.###.#.#.#######.#..
#.###.#.#...#.#......
#.....#..#.####..##..
#######.#.#.#......#.`;

test.each([
  ['Sharebook', createHash('sha256').update(SHAREBOOK.trim()).digest('hex')],
  [
    'otpauth://totp/Sharebook:finance%40starfall.example?secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&issuer=Sharebook&digits=6&period=30',
    'a9946622d93bac974212178e1b58419c17b75cfbf6e7f62b67552312aa919948',
  ],
  ['0123456789'.repeat(21), '4b945d6a12b01a29d921bf9fec46b4b2e2ff2e7e06777c753f286f9da9acfefe'],
])('%s is drawn as the symbol that was read back', (text, digest) => {
  const drawn = (encodeQr(text) ?? []).map((row) => row.map((isDark) => (isDark ? '#' : '.')).join('')).join('\n');
  expect(createHash('sha256').update(drawn).digest('hex')).toBe(digest);
});

test('a text that fits no version up to 10 is none', () => {
  expect(encodeQr('x'.repeat(213))).toHaveLength(57);
  expect(encodeQr('x'.repeat(214))).toBeNull();
});
