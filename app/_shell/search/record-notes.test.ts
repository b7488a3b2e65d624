import { expect, test } from 'vitest';
import { orderNote, transferNote } from './record-notes.ts';

test('a match is from a webhook only where nothing was read', () => {
  expect(orderNote({ book: null, status: null })).toBe('from a webhook');
  expect(orderNote({ book: 'currency', status: null })).toBe('currency purchase · Not reported');
  expect(transferNote({ isRead: false, state: null })).toBe('from a webhook');
  expect(transferNote({ isRead: true, state: null })).toBe('Not reported');
  expect(transferNote({ isRead: true, state: 'approved' })).toBe('Approved');
});

test('an item order is named as one, with its status as Invo wrote it', () => {
  expect(orderNote({ book: 'items', status: 'completed' })).toBe('item purchase · completed');
  expect(orderNote({ book: 'currency', status: 'completed' })).toBe('currency purchase · Completed');
});
