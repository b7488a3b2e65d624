import { expect, test } from 'vitest';
import { nextWalletAt } from './settling-times.ts';

test.each([
  [0, 10_000],
  [9_990, 60_000],
  [10_005, 60_000],
  [61_000, 300_000],
  [299_995, null],
  [3_600_000, null],
])('%d ms after an action is done, the wallet is read at %s ms', (now, next) => {
  expect(nextWalletAt({ now, doneAt: 0 })).toBe(next);
});
