import { expect, test } from 'vitest';
import { sayCardEffect } from './card-words.ts';

const facts = { status: 'active', next_charge_at: '2026-12-05T10:00:00Z', cancel_at_period_end: false };

test.each([
  ['that goes on', {}, 'Next charge: 5 Dec 2026 10:00 UTC.'],
  ['in dunning', { status: 'retrying' }, 'Next retry of the failed charge: 5 Dec 2026 10:00 UTC.'],
  [
    'set to end before the bank’s check',
    { status: 'awaiting_authentication', cancel_at_period_end: true },
    'The player must pass the bank’s check by: 5 Dec 2026 10:00 UTC.',
  ],
])('a card of one %s is told what comes next', (_, changed, sentence) => {
  expect(sayCardEffect({ ...facts, ...changed }, 'UTC')).toContain(sentence);
});

test('a card of one set to end is promised no charge', () => {
  const effect = sayCardEffect({ ...facts, cancel_at_period_end: true }, 'UTC');
  expect(effect).toBe('It becomes the card of the subscription, which is set to end and charges nothing more. Nothing is charged by this.');
});
