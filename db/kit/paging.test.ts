import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './paging.ts';

const SCOPE = { list: 'recipients 41', sort: 'net_attributed_usd', dir: 'desc' };

test('a cursor survives encoding with every digit', () => {
  const cursor = encodeCursor(SCOPE, ['-0.0000000001', '20418']);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(decodeCursor(cursor, SCOPE, ['numeric', 'bigint'])).toEqual(['-0.0000000001', '20418']);
});

test.each([
  ['another snapshot', { ...SCOPE, list: 'recipients 42' }],
  ['another order', { ...SCOPE, sort: 'renewal_count' }],
  ['the other direction', { ...SCOPE, dir: 'asc' }],
])('a cursor of %s is refused', (_, scope) => {
  expect(decodeCursor(encodeCursor(scope, ['1.00', '2']), SCOPE, ['numeric', 'bigint'])).toBeNull();
});

test.each([
  ['nothing', ''],
  ['not base64', 'a b+/='],
  ['not JSON', Buffer.from('{').toString('base64url')],
  ['not texts', Buffer.from('["recipients 41","net_attributed_usd","desc",1,2]').toString('base64url')],
  ['too few values', encodeCursor(SCOPE, ['1.00'])],
  ['no number', encodeCursor(SCOPE, ["1'; drop table game", '2'])],
  ['NaN', encodeCursor(SCOPE, ['NaN', '2'])],
  ['an id beyond bounds', encodeCursor(SCOPE, ['1.00', '9'.repeat(40)])],
  ['far too long', 'A'.repeat(5000)],
])('hostile input: %s is refused', (_, cursor) => {
  expect(decodeCursor(cursor, SCOPE, ['numeric', 'bigint'])).toBeNull();
});

test.each([
  ['2026-02-28 23:59:59.999999+00', true],
  ['-infinity', true],
  ['2026-02-30 00:00:00+00', false],
  ['0000-01-01 00:00:00+00', false],
  ['2026-01-01 25:00:00+00', false],
])('%s in a cursor is an instant: %s', (value, isInstant) => {
  expect(decodeCursor(encodeCursor(SCOPE, [value]), SCOPE, ['timestamptz'])).toEqual(isInstant ? [value] : null);
});

test('text with a NUL byte is refused, other control characters are accepted', () => {
  expect(decodeCursor(encodeCursor(SCOPE, ['a\0b', '2']), SCOPE, ['text', 'bigint'])).toBeNull();
  expect(decodeCursor(encodeCursor(SCOPE, ['a\nb‮', '2']), SCOPE, ['text', 'bigint'])).toEqual(['a\nb‮', '2']);
});
