import { expect, test } from 'vitest';
import { joinBalances, type WalletBalance } from './join-balances.ts';

const held = (currencyId: string | null, available: string): WalletBalance => ({
  currencyId,
  currencyName: null,
  available,
  reserved: null,
  total: null,
});

test('another currency of a player is one more balance, and the same currency again replaces the earlier figure', () => {
  const earlier = [held('311', '1.00'), held('318', '2.00')];
  expect(joinBalances(earlier, [held('400', '3.00')])).toEqual({ balances: [...earlier, held('400', '3.00')], replacedCount: 0 });
  expect(joinBalances(earlier, [held('311', '9.00')])).toEqual({ balances: [held('311', '9.00'), held('318', '2.00')], replacedCount: 1 });
});

test('currencies that Invo doesn’t name are one', () => {
  expect(joinBalances([held(null, '1.00')], [held(null, '2.00')])).toEqual({ balances: [held(null, '2.00')], replacedCount: 1 });
});
