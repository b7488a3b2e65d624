import { expect, test } from 'vitest';
import { readRowRequest } from './row-request.ts';

const SORTS = { net: [], name: [] };
const read = (text: string) => readRowRequest(new URLSearchParams(text), SORTS, ['all', 'owe']);

test('what is asked for is read', () => {
  expect(read('sort=net&dir=desc&chip=owe&limit=60&find=%20Bo%20&recipient=7&snapshot=41&after=abc')).toEqual({
    ok: true,
    request: { page: { sort: 'net', dir: 'desc', limit: 60, after: 'abc' }, find: 'Bo', chip: 'owe', recipient: 7, snapshotId: 41 },
  });
});

test('what is left out is everything, in full pages of the newest statement', () => {
  expect(read('sort=name&dir=asc')).toEqual({
    ok: true,
    request: { page: { sort: 'name', dir: 'asc', limit: 200, after: null }, find: '', chip: 'all', recipient: null, snapshotId: null },
  });
});

test.each([
  'dir=asc',
  'sort=toString&dir=asc',
  'sort=net&dir=up',
  'sort=net&dir=asc&chip=some',
  'sort=net&dir=asc&limit=201',
  'sort=net&dir=asc&limit=0',
  'sort=net&dir=asc&limit=1e2',
  'sort=net&dir=asc&recipient=-1',
  'sort=net&dir=asc&snapshot=1.5',
  'sort=net&dir=asc&snapshot=99999999999999999999',
])('refused in a sentence: %s', (text) => {
  const answer = read(text);
  expect(answer).toMatchObject({ ok: false, sentence: expect.stringMatching(/\.$/) });
});
