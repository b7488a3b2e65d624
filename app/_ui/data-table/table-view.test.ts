import { expect, test } from 'vitest';
import { cleanFind, readView, shownColumns, writeView } from './table-view.ts';
import type { TableColumn } from './table-words.ts';

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
    { key: 'owe', label: 'Owe back' },
  ],
  defaultSort: { key: 'net', dir: 'desc' as const },
};
const read = (text: string) => readView(SPEC, new URLSearchParams(text));

test('an address that says nothing is the default, and the default says nothing', () => {
  expect(read('')).toEqual({ sort: 'net', dir: 'desc', find: '', chip: 'all', toggled: [] });
  expect(writeView(SPEC, read(''))).toBe('');
});

test('a view comes back from its address', () => {
  const view = { sort: 'name', dir: 'asc' as const, find: '100% Bo & co', chip: 'owe', toggled: ['identity', 'net'] };
  expect(read(writeView(SPEC, view))).toEqual(view);
});

test.each(['sort=flags', 'sort=nothing&dir=up', 'show=everything', 'columns=secret,,password', 'sort=__proto__', 'find=bo%40example.test'])(
  'what does not belong to the table is not said: %s',
  (text) => expect(read(text)).toEqual(read('')),
);

test('what is not the table’s stays in the address', () => {
  expect(writeView(SPEC, { ...read(''), dir: 'asc' }, new URLSearchParams('month=2026-10&sort=name'))).toBe('month=2026-10&dir=asc');
});

test.each(['aurora@guild.example', '@guild', 'a＠b'])('an e-mail never enters an address: %s', (find) => {
  expect(writeView(SPEC, { ...read(''), find })).toBe('');
});

test('what is typed is one line without zero bytes', () => {
  expect(cleanFind('  a\0b ')).toBe('ab');
  expect(cleanFind('x'.repeat(1000))).toHaveLength(200);
});

test('choosing columns: optional ones appear, others go, the first stays', () => {
  expect(shownColumns(SPEC, read(''))).toEqual(['name', 'net', 'flags']);
  expect(shownColumns(SPEC, read('columns=identity,net,name'))).toEqual(['name', 'flags', 'identity']);
});
