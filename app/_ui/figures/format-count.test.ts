import { expect, test } from 'vitest';
import { countNoun, formatCount } from './format-count.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
  [-1234, '−1,234'],
])('%d reads %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test('one is singular, all else plural', () => {
  expect([countNoun(1, 'line'), countNoun(0, 'line'), countNoun(2, 'reply', 'replies')]).toEqual(['1 line', '0 lines', '2 replies']);
});
