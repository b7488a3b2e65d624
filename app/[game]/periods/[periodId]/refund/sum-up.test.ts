import { expect, test } from 'vitest';
import { sumUp } from './sum-up.ts';

test.each<[boolean, string | null, string | null, string]>([
  [true, '45.00', '0.00', 'Completes the period. 45.00 USD back to the card; no coins move.'],
  [true, '45.00', '-40.00', 'Completes the period. 45.00 USD back to the card; −40.00 coins, out of the wallet.'],
  [true, '0.00', '200.00', 'Completes the period. Nothing to a card; +200.00 coins into the wallet.'],
  [true, null, null, 'Completes the period. What goes to the card is not known; what happens to coins is not known.'],
  [false, '0.00', '25.00', 'A part of the period. Nothing goes back to the card; +25.00 coins into the wallet.'],
])('a refund that completes: %s, card %s, coins %s', (is_full_refund, card_refunded_usd, balance_delta_coins, said) => {
  expect(sumUp({ is_full_refund, card_refunded_usd, balance_delta_coins })).toBe(said);
});
