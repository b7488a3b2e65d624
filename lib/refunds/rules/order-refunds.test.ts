import { expect, test } from 'vitest';
import { orderRefunds } from './order-refunds.ts';

const refund = (refunded_at: string, cumulative_refunded_before_usd: string | null) => ({ refunded_at, cumulative_refunded_before_usd });

test('refunds are ordered oldest first, whatever their order in the report', () => {
  const first = refund('2026-10-01T11:00:00Z', '0.00');
  const second = refund('2026-10-02T09:00:00.500Z', '9.00');
  const third = refund('2026-10-02T09:00:00.500Z', '10.00');
  expect(orderRefunds([third, first, second])).toEqual([first, second, third]);
  expect(orderRefunds([second, third, first])).toEqual([first, second, third]);
  const untold = refund('2026-10-02T09:00:00.500Z', null);
  expect(orderRefunds([second, untold, first])).toEqual([first, untold, second]);
});
