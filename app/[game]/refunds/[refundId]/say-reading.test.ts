import { expect, test } from 'vitest';
import { sayReading } from './say-reading.ts';

const read = { refunds_told: true, refunded_to_date_usd: '0.00', amount_usd: '10.00', refund_count: null, events: [] };

test('a reading says what was refunded, and that Invo told nothing is not that nothing was', () => {
  expect(sayReading(read)).toBe('0.00 USD refunded so far of 10.00, 0 refunds.');
  expect(sayReading({ ...read, amount_usd: null })).toBe('0.00 USD refunded so far, 0 refunds.');
  expect(sayReading({ ...read, refunds_told: false })).toBe('Invo told nothing of refunds.');
  expect(sayReading({ ...read, refunded_to_date_usd: '5.00' }), 'a sum alone').toBe('5.00 USD refunded so far of 10.00.');
  expect(sayReading({ ...read, refunded_to_date_usd: '5.00', refund_count: 1 })).toBe('5.00 USD refunded so far of 10.00, one refund.');
});
