import { expect, test } from 'vitest';
import { canceled } from '#lib/invo/routes/subscription-changes.ts';
import { sayCanceled } from './cancel-words.ts';

const ONE = { subscription_id: 'SUB_1767225600_AAAAAAAA', player_id: 9 };
const titleOf = (answer: object): string => sayCanceled(canceled.parse(answer), 'UTC').title;

test.each([
  [{ cancel_at_period_end: true }, 'The subscription is set to end'],
  [{ cancel_at_period_end: false, access_until: '2026-04-02T00:00:00Z' }, 'The subscription has ended'],
  [{ terminated_immediately: true }, 'The subscription has ended'],
  [{ access_until: '2026-04-02T00:00:00Z' }, 'The cancel was made'],
  [{ effective_at: '2026-04-02T00:00:00Z', subscription: { ...ONE, cancel_at_period_end: true } }, 'The subscription is set to end'],
  [{ subscription: { ...ONE, status: 'canceled' } }, 'The subscription has ended'],
])('a cancel answered with %j is told as “%s”', (answer, title) => {
  expect(titleOf(answer)).toBe(title);
});

test.each([
  [false, /has not ended yet.*never charges again/],
  [true, /agreement with the store has ended/],
])('an agreement with the store that Invo says is ended: %j is told so', (pcstore_agreement_canceled, words) => {
  const { sentences } = sayCanceled(canceled.parse({ cancel_at_period_end: true, pcstore_agreement_canceled }), 'UTC');
  expect(sentences.join(' ')).toMatch(words);
});
