import { expect, test } from 'vitest';
import { keyMove } from './key-move.ts';

test.each([
  ['ArrowDown', 6],
  ['ArrowUp', 4],
  ['PageDown', 15],
  ['PageUp', -5],
  ['Home', 0],
  ['End', 99],
  ['a', null],
  ['constructor', null],
])('%s moves from 5 of 100 to %s', (key, place) => {
  expect(keyMove(key, { current: 5, count: 100, pageRows: 10 })).toBe(place);
});

test('a box too small to measure still moves by a row', () => {
  expect(keyMove('PageDown', { current: 0, count: 3, pageRows: -2 })).toBe(1);
});
