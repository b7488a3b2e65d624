import { expect, test } from 'vitest';
import { digestShape, idShape, slugShape, subscriptionIdShape } from './form-shapes.ts';

test.each([
  ['1', 1],
  ['2026100004', 2_026_100_004],
  ['9007199254740991', 9_007_199_254_740_991],
])('%s is the id %d', (text, id) => {
  expect(idShape.parse(text)).toBe(id);
});

test.each(['', '0', '-1', '1.5', '1e3', ' 1', '1\n', '9007199254740992', '٣'])('%j is no id', (text) => {
  expect(idShape.safeParse(text).success).toBe(false);
});

test.each(['.', '..', '...', '', 'a/b', 'a?b', '%2e%2e', 'SUB_1\n', 'x'.repeat(51)])('%j is no subscription id', (text) => {
  expect(subscriptionIdShape.safeParse(text).success).toBe(false);
});

test('what Invo and the pages give is taken as it is', () => {
  expect(subscriptionIdShape.parse('SUB_1733392800_DESKMIRA')).toBe('SUB_1733392800_DESKMIRA');
  expect(digestShape.parse('0f'.repeat(32))).toBe('0f'.repeat(32));
  expect(slugShape.parse('demo')).toBe('demo');
});

test.each(['0F'.repeat(32), '0f'.repeat(31), `${'0f'.repeat(32)}\n`])('%j is no digest', (text) => {
  expect(digestShape.safeParse(text).success).toBe(false);
});
