import { expect, test } from 'vitest';
import { RETRIES_END_SECONDS } from './rules/delivery.ts';
import { formatDelivery, GAP_SENTENCE } from './text.ts';

test.each([
  ['processed', null, 'Sharebook reads nothing for this event type.'],
  ['failing', { kind: 'refund', outcome: 'refund_contradicted' }, 'Invo reports a refund that Sharebook recorded as not refunded.'],
  ['failing', { kind: 'refund', outcome: 'elsewhere_unread' }, 'Refunded elsewhere. Sharebook couldn’t find its period'],
  ['failing', { kind: 'order', outcome: 'read' }, 'Sharebook couldn’t process this delivery.'],
  ['failing', { kind: 'order', outcome: null }, 'Sharebook couldn’t process this delivery.'],
] as const)('a delivery that is %s with the reading %j says so', (state, reading, says) => {
  expect(formatDelivery({ state, isTest: false, bodyProblem: null, reading })).toContain(says);
});

test('a gap says how long Invo retries, what is read again and what only a replay brings', () => {
  expect(RETRIES_END_SECONDS).toBe(31 * 3_600 + 12 * 60 + 30);
  expect(GAP_SENTENCE).toContain('for 31 h 12 min 30 s.');
  expect(GAP_SENTENCE).toMatch(/still reads reports, refunds and subscriptions\..*orders and transfers it has never seen, replay them/);
});
