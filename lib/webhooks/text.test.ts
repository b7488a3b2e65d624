import { expect, test } from 'vitest';
import { RETRIES_END_SECONDS, type ReadOutcome } from './rules/delivery.ts';
import { formatDelivery, formatNoBody, formatSkew, GAP_SENTENCE } from './text.ts';

test.each([
  ['processed', null, 'Sharebook reads nothing for this event type.'],
  ['failing', { kind: 'refund', outcome: 'refund_contradicted' }, 'Invo reports a refund that Sharebook recorded as not refunded.'],
  [
    'failing',
    { kind: 'refund', outcome: 'elsewhere_unread' },
    'The webhook reports a refund made elsewhere. Sharebook couldn’t find its period.',
  ],
  ['failing', { kind: 'order', outcome: 'read' }, 'Sharebook couldn’t process this delivery.'],
  ['failing', { kind: 'order', outcome: null }, 'Sharebook couldn’t process this delivery.'],
] as const)('a delivery that is %s with the reading %j says so', (state, reading, says) => {
  expect(formatDelivery({ state, isTest: false, bodyProblem: null, reading })).toContain(says);
});

test('a processed delivery says that its object was read only when it was', () => {
  const says = (kind: 'order' | 'refund', outcome: ReadOutcome): string =>
    formatDelivery({ state: 'processed', isTest: false, bodyProblem: null, reading: { kind, outcome } });
  expect(says('order', 'read')).toBe('The signature is valid. Sharebook read the object from Invo.');
  expect(says('order', 'not_found')).toBe(
    'The signature is valid. Sharebook asked Invo, which has no such record in this game and environment.',
  );
  expect(says('refund', 'refund_look')).toBe('The signature is valid. The result is under “Read from Invo”.');
});

test.each([
  ['2026-11-21T12:05:01Z', '5 min 1 s before receipt'],
  ['2026-11-21T12:05:00Z', '5 min before receipt'],
  ['2026-11-21T11:54:31Z', '5 min 29 s after receipt'],
  ['2026-11-21T12:01:59Z', '119 s before receipt'],
  ['2026-11-21T14:10:20Z', '130 min before receipt'],
])('a delivery received at %s that was signed at noon was signed %s', (receivedAt, says) => {
  expect(formatSkew('2026-11-21T12:00:00Z', receivedAt)).toBe(says);
});

test('a body that isn’t stored says why, by its age', () => {
  const format = (receivedAt: string): string => formatNoBody(receivedAt, '2026-11-21T12:00:00Z');
  expect(format('2026-08-23T12:00:00Z')).toBe(
    'The body isn’t stored: bodies are deleted 90 days after they were received. Its digest remains.',
  );
  expect(format('2026-08-23T12:00:01Z')).toBe(
    'The body isn’t stored: it carries a code or token, or names a player who was erased. Its digest remains.',
  );
});

test('a gap says how long Invo retries, what is read again and what only a replay brings', () => {
  expect(RETRIES_END_SECONDS).toBe(31 * 3_600 + 12 * 60 + 30);
  expect(GAP_SENTENCE).toContain('for 31 h 12 min 30 s.');
  expect(GAP_SENTENCE).toMatch(/still reads reports, refunds and subscriptions\..*orders and transfers it has never seen, replay them/);
});
