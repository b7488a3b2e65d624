import { describe, expect, test } from 'vitest';
import { type CellKind, writeHeader, writeRow } from './csv.ts';

describe('a text cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1234', "'+49 30 1234"],
    ['-12.50', "'-12.50"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['Aurora', 'Aurora'],
    [' =1', ' =1'],
    ["O'Brien", "O'Brien"],
    ['a=b', 'a=b'],
    ['a;=1+1;-2', "a;'=1+1;'-2"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a;;=1', "a;;'=1"],
    ['=1;＝2', "'=1;'＝2"],
    ['a\n;=1', `"a\n;'=1"`],
    ['a; b', 'a; b'],
    ['Guild, the', '"Guild, the"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['', ''],
    ['Ōkami 🦊', 'Ōkami 🦊'],
    ['\u0000x', '\u0000x'],
  ])('%j is written %j', (text, cell) => {
    expect(writeCell('text', text)).toBe(cell);
  });
});

describe('a figure', () => {
  test.each<[CellKind, unknown, string]>([
    ['money', '-12.50', '-12.50'],
    ['money', '12', '12.00'],
    ['money', '12.5', '12.50'],
    ['money', '12.505', '12.505'],
    ['money', '-0.00', '-0.00'],
    ['money', '9007199254740993.01', '9007199254740993.01'],
    ['coins', '100', '100.00'],
    ['count', 9007199254740991, '9007199254740991'],
    ['count', 0, '0'],
    ['percent', '12.5', '12.5'],
    ['percent', '-3', '-3'],
    ['instant', '2026-10-01T00:00:00.123456Z', '2026-10-01T00:00:00.123456Z'],
    ['boolean', true, 'true'],
    ['boolean', false, 'false'],
  ])('of kind %s, %j, is written %s and never guarded', (kind, value, cell) => {
    expect(writeCell(kind, value)).toBe(cell);
  });

  test.each<CellKind>(['text', 'money', 'coins', 'count', 'percent', 'instant', 'boolean'])(
    'of kind %s that was not recorded is empty, never 0',
    (kind) => {
      expect(writeCell(kind, null)).toBe('');
      expect(
        writeRow(
          [
            { key: 'x', label: 'X', kind },
            { key: 'y', label: 'Y', kind: 'count' },
          ],
          { y: 1 },
        ),
      ).toBe(',1\r\n');
    },
  );
});

test('a row follows the order of its columns and ends in CRLF', () => {
  const columns = [
    { key: 'a', label: 'A', kind: 'text' as const },
    { key: 'b', label: 'B', kind: 'money' as const },
    { key: 'c', label: 'C', kind: 'count' as const },
  ];
  expect(writeHeader(columns)).toBe('a,b,c\r\n');
  expect(writeRow(columns, { c: 3, unknown: 'x', a: 'n, m', b: '-1' })).toBe('"n, m",-1.00,3\r\n');
});

function writeCell(kind: CellKind, value: unknown): string {
  return writeRow([{ key: 'x', label: 'X', kind }], { x: value }).slice(0, -2);
}
