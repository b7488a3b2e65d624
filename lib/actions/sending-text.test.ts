import { expect, test } from 'vitest';
import { endOfSending, formatSending } from './sending-text.ts';

test.each([
  ['item_sale', 'waiting', 'Sharebook sends it again at 15:47.', {}],
  ['item_sale', 'waiting', 'Sharebook sends it again once desk actions resume, until 09:30.', { isPaused: true }],
  ['item_sale', 'unknown', 'Sharebook sends it again once item sales are turned on, until 09:30.', { isOff: true }],
  ['milestone', 'approved', 'Sharebook sends it once desk actions resume, until 09:30.', { isPaused: true, isOff: true }],
  ['milestone', 'approved', 'Sharebook sends it now.', {}],
  ['payment_link', 'approved', null, {}],
  ['item_sale', 'checking', null, {}],
] as const)('a page states when Sharebook sends a %s that is %s: %s', (kind, state, text, blocker) => {
  expect(formatSending(kind, state, { next: '15:47', end: '09:30' }, { isPaused: false, isOff: false, ...blocker })).toBe(text);
});

test('Sharebook stops sending 23.5 hours after the first call, or after the approval of what it never sent', () => {
  const approvedAt = '2026-11-20T10:00:00Z';
  expect(endOfSending({ approvedAt, firstSentAt: null })).toBe('2026-11-21T09:30:00.000Z');
  expect(endOfSending({ approvedAt, firstSentAt: '2026-11-20T18:00:00Z' })).toBe('2026-11-21T17:30:00.000Z');
});
