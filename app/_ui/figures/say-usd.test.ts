import { expect, test } from 'vitest';
import { sayUsd } from './say-usd.ts';

test.each([
  ['1250', '1,250.00 USD'],
  ['-0.5', '−0.50 USD'],
  ['10.0040', '10.0040 USD'],
  [null, 'not recorded'],
])('%s reads %s', (amount, words) => {
  expect(sayUsd(amount)).toBe(words);
});
