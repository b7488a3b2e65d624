import { expect, test } from 'vitest';
import { formatDelivery } from './text.ts';

test.each([
  ['processed', null, 'Sharebook reads nothing for this event type.'],
  ['failing', { kind: 'refund', outcome: 'refund_contradicted' }, 'Invo reports a refund that Sharebook recorded as not refunded.'],
  ['failing', { kind: 'refund', outcome: 'elsewhere_unread' }, 'Refunded elsewhere. Sharebook couldn’t find its period'],
  ['failing', { kind: 'order', outcome: 'read' }, 'Sharebook couldn’t process this delivery.'],
  ['failing', { kind: 'order', outcome: null }, 'Sharebook couldn’t process this delivery.'],
] as const)('a delivery that is %s with the reading %j says so', (state, reading, says) => {
  expect(formatDelivery({ state, isTest: false, bodyProblem: null, reading })).toContain(says);
});
