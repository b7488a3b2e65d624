import { expect, test } from 'vitest';
import type { OrderBook } from '#lib/orders/rules/order.ts';
import type { Hit } from '#lib/search/reads.ts';
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

test('a webhook delivery is named by its event, with when it came and its state', () => {
  const hit = { kind: 'delivery' as const, deliveryId: 17, receivedAt: '2026-11-21T10:00:00Z', state: 'stale' as const };
  expect(matchOf('demo', { ...hit, eventType: 'purchase.completed' }, true)).toEqual({
    href: '/demo/webhooks/17',
    title: 'Webhook purchase.completed',
    note: 'received 21 Nov 2026 10:00 UTC · Stale',
  });
  expect(matchOf('demo', { ...hit, eventType: null }, true).title).toBe('Webhook without a type');
});

test('a desk action leads to its page, named by its kind and its state', () => {
  const hit: Hit = { kind: 'desk_action', actionId: 4, actionKind: 'item_sale', playerId: 52, state: 'approved' };
  expect(matchOf('demo', hit, false)).toEqual({
    href: '/demo/actions/4',
    title: 'Item sale 4',
    note: 'desk action · player 52 · Queued',
  });
});
