import { expect, test } from 'vitest';
import { parseNextPath } from './next-path.ts';

test.each([
  ['/demo/months', '/demo/months'],
  ['/demo/months/2026-10?sort=-net&page=2#top', '/demo/months/2026-10?sort=-net&page=2#top'],
  ['/', '/'],
])('continues to %s', (text, address) => {
  expect(parseNextPath(text)).toBe(address);
});

test.each([
  undefined,
  ['/demo'],
  '',
  'demo/months',
  'https://elsewhere.example/',
  '//elsewhere.example/',
  '//elsewhere.example/demo/months',
  '/\\elsewhere.example/',
  '/\t/elsewhere.example/',
  '/a/..//elsewhere.example/',
  '/.//elsewhere.example/',
  'javascript:alert(1)',
  '/sign-in?next=/sign-in',
  '/set-up?token=x',
  `/${'a'.repeat(3_000)}`,
])('goes to the first page instead of %s', (text) => {
  expect(parseNextPath(text)).toBe('/');
});
