import { expect, test } from 'vitest';
import { nextSort } from './next-sort.ts';

const SPEC = {
  columns: [
    { key: 'name', label: 'Name', shape: 'identity' },
    { key: 'net', label: 'Net', shape: 'money' },
  ],
} as Parameters<typeof nextSort>[0];

test.each([
  ['name', { sort: 'net', dir: 'desc' }, { sort: 'name', dir: 'asc' }],
  ['net', { sort: 'name', dir: 'asc' }, { sort: 'net', dir: 'desc' }],
  ['net', { sort: 'net', dir: 'desc' }, { dir: 'asc' }],
  ['net', { sort: 'net', dir: 'asc' }, { dir: 'desc' }],
] as const)('the heading %s pressed under %j asks for %j', (key, view, asked) => {
  expect(nextSort(SPEC, { find: '', chip: 'all', toggled: [], ...view }, key)).toEqual(asked);
});
