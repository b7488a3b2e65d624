import { expect, test } from 'vitest';
import type { TableColumn } from './table-spec.ts';
import { cleanFind, isShown, keyMove, parseView, writeView } from './table-view.ts';

const COLUMNS: TableColumn[] = [
  { key: 'name', label: 'Recipient', shape: 'identity', width: 200, isSortable: true },
  { key: 'net', label: 'Net', shape: 'money', width: 100, isSortable: true },
  { key: 'flags', label: 'Remarks', shape: 'flags', width: 100 },
  { key: 'identity', label: 'Identity', shape: 'text', width: 100, isOptional: true },
];
const SPEC = {
  columns: COLUMNS,
  chips: [
    { key: 'all', label: 'All' },
    { key: 'negative', label: 'Negative balance' },
  ],
  defaultSort: { key: 'net', dir: 'desc' as const },
};
const read = (text: string) => parseView(SPEC, new URLSearchParams(text));

test('an empty address is the default view, and the default view writes an empty address', () => {
  expect(read('')).toEqual({ sort: 'net', dir: 'desc', find: '', chip: 'all', toggled: [] });
  expect(writeView(SPEC, read(''))).toBe('');
});

test('a view survives its address', () => {
  const view = { sort: 'name', dir: 'asc' as const, find: '100% Bo & co', chip: 'negative', toggled: ['identity', 'net'] };
  expect(read(writeView(SPEC, view))).toEqual(view);
});

test.each(['sort=flags', 'sort=nothing&dir=up', 'show=everything', 'columns=secret,,password', 'sort=__proto__', 'find=bo%40example.test'])(
  'parameters that don’t belong to the table are ignored: %s',
  (text) => expect(read(text)).toEqual(read('')),
);

test('parameters of others stay in the address', () => {
  expect(writeView(SPEC, { ...read(''), dir: 'asc' }, new URLSearchParams('month=2026-10&sort=name'))).toBe('month=2026-10&dir=asc');
});

test.each(['aurora@guild.example', '@guild', 'a＠b'])('an email never enters an address: %s', (find) => {
  expect(writeView(SPEC, { ...read(''), find })).toBe('');
});

test('a search text is one line without zero bytes', () => {
  expect(cleanFind('  a\0b ')).toBe('ab');
  expect(cleanFind('x'.repeat(1000))).toHaveLength(200);
});

test('chosen optional columns appear, chosen others disappear, and the first column stays', () => {
  const shown = (text: string) => COLUMNS.filter((column, index) => isShown(column, index, read(text))).map(({ key }) => key);
  expect(shown('')).toEqual(['name', 'net', 'flags']);
  expect(shown('columns=identity,net,name')).toEqual(['name', 'flags', 'identity']);
});

test.each([
  ['ArrowDown', 6],
  ['ArrowUp', 4],
  ['j', 6],
  ['k', 4],
  ['PageDown', 15],
  ['PageUp', -5],
  ['Home', 0],
  ['End', 99],
  ['a', null],
  ['constructor', null],
])('the key %s moves from row 5 of 100 to %s', (key, row) => {
  expect(keyMove(key, { current: 5, count: 100, pageRows: 10 })).toBe(row);
});

test('a page key in a box too small to measure moves by a row', () => {
  expect(keyMove('PageDown', { current: 0, count: 3, pageRows: -2 })).toBe(1);
});
