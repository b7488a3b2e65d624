import { expect, test } from 'vitest';
import { describeCoins } from './describe-coins.ts';

test.each([
  ['125.00', '+125.00 coins into the wallet'],
  ['-1200.00', '−1,200.00 coins, out of the wallet'],
  ['0.00', 'None move'],
  [null, 'not known'],
])('%s coins are said as “%s”', (delta, said) => {
  expect(describeCoins(delta)).toBe(said);
});
