import { expect, test } from 'vitest';
import { ORDER_STATUSES } from './rules/order.ts';
import { orderStatusText } from './text.ts';

test('each of the seven statuses has its own words, and says what it means for the money', () => {
  const texts = ORDER_STATUSES.map((status) => orderStatusText(status));
  expect(new Set(texts.map(({ label }) => label)).size).toBe(7);
  expect(texts.map(({ sentence }) => sentence).every((sentence) => /^[A-Z].+\.$/.test(sentence))).toBe(true);
  expect(orderStatusText('requires_action').sentence).toContain('Nothing has been charged');
});

test('a status nobody documents, and every status of an item order, is shown as it came', () => {
  expect(orderStatusText('held_for_review')).toMatchObject({ label: 'held_for_review', tone: 'quiet' });
  expect(orderStatusText('completed', 'items')).toMatchObject({ label: 'completed', tone: 'quiet' });
  expect(orderStatusText(null).label).toBe('Not reported');
  expect(orderStatusText('toString').label).toBe('toString');
});
