import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUploadedCsv, parseUploadedCsvInSteps, type UploadedCsv } from './parse-uploaded-csv.ts';
import { runSteps } from './steps.ts';

const BYTES_MAX = 8 * 1024 * 1024;
const parse = (text: string, delimiter: 'any' | 'detect' = 'detect', recordsMax = 100): UploadedCsv =>
  parseUploadedCsv(new TextEncoder().encode(text), { bytesMax: BYTES_MAX, recordsMax, delimiter });
const cellsIn = (text: string): string[][] => parse(text).records.map(({ cells }) => cells);

describe('the delimiter is detected in the first record', () => {
  test.each<[string, string, string[][]]>([
    [
      'commas',
      'a,b\n1;2,3',
      [
        ['a', 'b'],
        ['1;2', '3'],
      ],
    ],
    [
      'semicolons, with decimal commas below',
      'name;amount\nÄrzte;1,50',
      [
        ['name', 'amount'],
        ['Ärzte', '1,50'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1,2\t3',
      [
        ['a', 'b'],
        ['1,2', '3'],
      ],
    ],
    [
      'a delimiter within quotes that isn’t counted',
      '"a,b,\n,c";d\n1,2;3',
      [
        ['a,b,\n,c', 'd'],
        ['1,2', '3'],
      ],
    ],
    ['empty lines first', '\n\r\na;b\n', [['a', 'b']]],
    ['no delimiter', 'a\n1,2', [['a'], ['1', '2']]],
    ['a quote that isn’t closed, and nothing else', '"a;b', []],
  ])('%s', (_, text, cells) => {
    expect(cellsIn(text)).toEqual(cells);
  });
});

test('comma and semicolon both end a cell when any of them does', () => {
  expect(parse('a,b;c\td', 'any').records).toEqual([{ line: 1, cells: ['a', 'b', 'c\td'] }]);
});

describe('quotes', () => {
  test.each<[string, string, string[][]]>([
    ['doubled within quotes', '"a ""b"""', [['a "b"']]],
    ['after other characters', '5" disk,=F("x")', [['5" disk', '=F("x")']]],
    ['followed by spaces', '"a" \t,"b"  ', [['a', 'b']]],
    ['around nothing', '"",a', [['', 'a']]],
  ])('%s', (_, text, cells) => {
    expect(cellsIn(text)).toEqual(cells);
  });
});

test.each(['\n', '\r\n', '\r'])('records have the line they begin on when lines end with %j', (end) => {
  const text = ['a,b', '', '"x', '', `y","z`, '"', ' ,', '1,2', ''].join(end);
  expect(parse(text)).toEqual({
    records: [
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['x\n\ny', 'z\n'] },
      { line: 8, cells: ['1', '2'] },
    ],
    error: null,
  });
});

test('a BOM is no part of the first cell', () => {
  expect(cellsIn('\ufeff"a",b')).toEqual([['a', 'b']]);
});

describe('an error names the line of its cell, and the records before it are there', () => {
  test.each<[string, string, number]>([
    ['a quote that is never closed', 'a\r\nb,"c\r\n\r\nd', 2],
    ['a quote that is never closed, after a cell of two lines', 'a\n"b\r\nc",\n"x\r\ny","z', 5],
    ['a quote that is closed in the middle of its cell', 'a\n\n"b"c\nd', 3],
    ['a quote that is closed before another', 'a\n"b" "c"', 2],
    ['a quote that is closed before a NUL', 'a\n"b"\u0000', 2],
  ])('%s', (_, text, line) => {
    const { records, error } = parse(text);
    expect(records[0]).toEqual({ line: 1, cells: ['a'] });
    expect(error).toEqual({ kind: 'open_quote', line });
  });

  test('a record too many, whatever follows', () => {
    expect(parse('a\n\nb\n"c\nd"\n"e', 'any', 2)).toEqual({
      records: [
        { line: 1, cells: ['a'] },
        { line: 3, cells: ['b'] },
      ],
      error: { kind: 'too_many', line: 4 },
    });
    expect(parse('a\nb\n\n', 'any', 2).error).toBeNull();
  });

  test('a file that is too large, or isn’t UTF-8, is not parsed', () => {
    const options = { bytesMax: 3, recordsMax: 9, delimiter: 'any' } as const;
    expect(parseUploadedCsv(Uint8Array.of(0x61, 0x2c, 0x62, 0x0a), options)).toEqual({ records: [], error: { kind: 'too_large' } });
    expect(parseUploadedCsv(Uint8Array.of(0x61, 0x0a, 0xe9), options)).toEqual({ records: [], error: { kind: 'not_utf8' } });
  });
});

describe('a hostile file is parsed within its bounds', () => {
  test('a million commas are a million and one empty cells', () => {
    expect(parse(','.repeat(1_000_000))).toEqual({ records: [], error: null });
    expect(parse(`${','.repeat(1_000_000)}x`).records[0]?.cells).toHaveLength(1_000_001);
  });

  test('a million quotes close each other, and one more doesn’t', { tags: 'proof' }, () => {
    expect(parse('"'.repeat(1_000_000)).records).toEqual([{ line: 1, cells: ['"'.repeat(499_999)] }]);
    expect(parse('"'.repeat(1_000_001)).error).toEqual({ kind: 'open_quote', line: 1 });
  });

  test('a million lines are counted, and a quote on the last is named by its line', { tags: ['proof'] }, () => {
    expect(parse(`${'\r\n'.repeat(1_000_000)}"x`).error).toEqual({ kind: 'open_quote', line: 1_000_001 });
  });

  test('a NUL is a character of its cell', () => {
    expect(cellsIn('a\u0000b,\u0000')).toEqual([['a\u0000b', '\u0000']]);
  });

  test('nothing is no record', () => {
    expect(parse('')).toEqual({ records: [], error: null });
    expect(parse('\ufeff')).toEqual({ records: [], error: null });
  });
});

test('a file has the same records and the same error in steps of any length', { tags: 'proof' }, () => {
  const characters = fc.constantFrom('a', ' ', '"', '"', ',', ';', '\n', '\n', '\r\n', '\t', 'é');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (text, pieceLength) => {
      const bytes = new TextEncoder().encode(text);
      const options = { bytesMax: BYTES_MAX, recordsMax: 5, delimiter: 'detect' } as const;
      expect(runSteps(parseUploadedCsvInSteps(bytes, options, pieceLength))).toEqual(parseUploadedCsv(bytes, options));
    }),
    { numRuns: 2_000 },
  );
});
