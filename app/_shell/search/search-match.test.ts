import { expect, test } from 'vitest';
import type { Hit } from '#db/search/reads.ts';
import type { OrderBook } from '#lib/orders/rules/order.ts';
import { matchOf } from './search-match.ts';

const noteOf = (hit: Hit): string => matchOf('demo', hit, true).note;
const order = (book: OrderBook | null, status: string | null): string => noteOf({ kind: 'order', orderId: 'O_1', book, status });
const transfer = (isRead: boolean, state: string | null): string => noteOf({ kind: 'transfer', transactionId: 'T_1', isRead, state });

test('a match is from a webhook only where nothing was read', () => {
  expect(order(null, null)).toBe('from a webhook');
  expect(order('currency', null)).toBe('currency purchase · Not reported');
  expect(transfer(false, null)).toBe('from a webhook');
  expect(transfer(true, null)).toBe('Not reported');
  expect(transfer(true, 'approved')).toBe('Approved');
});

test('an item order is named as one, with its status as Invo wrote it', () => {
  expect(order('items', 'completed')).toBe('item purchase · completed');
  expect(order('currency', 'completed')).toBe('currency purchase · Completed');
});
