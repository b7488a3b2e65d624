import { expect, test } from 'vitest';
import { feeSteps } from './fee-steps.ts';

const OCTOBER = {
  settled_gross_usd: '100.0040',
  invo_fee_usd: '10.00',
  partner_revenue_settled_usd: '90.0040',
  partner_revenue_reversed_usd: '95.00',
  partner_revenue_usd: '-4.9960',
  net_attributed_usd: '-1.50',
};

test('each step begins where the one before it ended, below zero too', () => {
  expect(feeSteps(OCTOBER).map(({ from, to }) => [from, to])).toEqual([
    [0, 100.004],
    [100.004, 90.004],
    [0, 90.004],
    [90.004, -4.996],
    [-4.996, -3.496],
    [0, -3.496],
  ]);
});

test('amounts are told to the last digit, what was taken below zero', () => {
  expect(feeSteps(OCTOBER).map(({ amount }) => amount)).toEqual(['100.0040', '-10.00', '90.0040', '-95.00', '-1.50', '-3.4960']);
});
