import { expect, test } from 'vitest';
import type { PeriodFacts } from '#lib/refunds/rules/period.ts';
import { sayCharged, sayPeriodSpan } from './period-words.ts';

test.each([
  [
    { card_charged_usd: '12.00', pcstore_charged_usd: '0.00', balance_applied_coins: '80.00' },
    '12.00 USD by card and 80.00 coins from the wallet',
  ],
  [{ card_charged_usd: null, pcstore_charged_usd: '15.00', balance_applied_coins: null }, '15.00 USD through the store'],
  [{ card_charged_usd: '0.00', pcstore_charged_usd: '0.00', balance_applied_coins: '2000.00' }, '2,000.00 coins from the wallet'],
  [{ card_charged_usd: null, pcstore_charged_usd: null, balance_applied_coins: null }, 'not recorded'],
  [{ card_charged_usd: '0.00', pcstore_charged_usd: null, balance_applied_coins: '0.00' }, 'nothing to a card or a store'],
])('%j is told as “%s”', (funding, told) => {
  expect(sayCharged(funding as PeriodFacts)).toBe(told);
});

test('a span names what is missing', () => {
  expect(sayPeriodSpan({ period_start: '2026-10-01T00:00:00Z', period_end: null })).toBe('1 Oct 2026 00:00 to not recorded UTC');
  expect(sayPeriodSpan({ period_start: null, period_end: null })).toBe('dates not recorded');
});
