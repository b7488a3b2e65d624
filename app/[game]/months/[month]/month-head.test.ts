import { expect, test } from 'vitest';
import { moneyFlow } from './month-head.tsx';

test('the money flow has every digit, and its deductions are negative', () => {
  const steps = moneyFlow({
    settled_gross_usd: '100.0040',
    invo_fee_usd: '10.00',
    partner_revenue_settled_usd: '90.0040',
    partner_revenue_reversed_usd: '95.00',
    partner_revenue_usd: '-4.9960',
    net_attributed_usd: '-1.50',
  });
  expect(steps.map(({ amount }) => amount)).toEqual(['100.0040', '-10.00', '90.0040', '-95.00', '1.50', '-3.4960']);
});
