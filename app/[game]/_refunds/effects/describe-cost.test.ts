import { expect, test } from 'vitest';
import { describeCost } from './describe-cost.ts';

test.each<[string | null, string | null, string]>([
  ['18.00', '2.00', '20.00 USD: 18.00 revenue reversed and 2.00 card fee'],
  ['18.00', null, '18.00 USD revenue reversed; card fee not known'],
  [null, '2.00', '2.00 USD card fee; revenue reversed not known'],
  [null, null, 'not known: neither the revenue reversed nor the card fee'],
])('%s of revenue and %s of card fee cost: %s', (partner_revenue_reversed_usd, card_fee_charged_to_partner_usd, said) => {
  expect(describeCost({ refunded_amount_usd: '20.00', partner_revenue_reversed_usd, card_fee_charged_to_partner_usd })).toBe(said);
});
