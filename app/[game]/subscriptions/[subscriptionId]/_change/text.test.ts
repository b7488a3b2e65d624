import { expect, test } from 'vitest';
import { canceled } from '#lib/invo/support/change-bodies.ts';
import type { PricePreview } from '#lib/subscriptions/rules/price.ts';
import { sayCanceled, sayCardEffect, sayPriced, sayPriceEffect } from './text.ts';

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

const ANSWER = {
  old_amount_usd: '60.00',
  new_amount_usd: '120.01',
  pending_amount_usd: '120.01',
  change_queued: true,
  applies_from: '2026-12-05T10:00:00Z',
  applies_from_period_seq: 2,
} as Parameters<typeof sayPriced>[0]['answer'];

const stages = (applies: 'applies' | 'never_doubled' | 'never_above_limit' | 'never_renews'): PricePreview => ({
  kind: 'stages',
  applies,
  replaces: null,
});
const priced = (forecast: PricePreview, answer = ANSWER) =>
  sayPriced({ answer, forecast, asked: { amount_usd: '120.01', isClearing: forecast.kind === 'clears' } }, 'UTC');

test('a price that applies is told from when', () => {
  expect(priced(stages('applies'))).toEqual({
    title: '120.01 USD is staged',
    sentences: ['It applies from: 5 Dec 2026 10:00 UTC, with period 2. Until then the old price bills.'],
  });
});

test.each([
  ['never_doubled', 'It will never be applied, since it is more than double 60.00 USD. The old price of 60.00 USD keeps billing.'],
  ['never_above_limit', 'It will never be applied, since it is an increase to above 500.00 USD. The old price of 60.00 USD keeps billing.'],
  ['never_renews', 'It will never be applied, since the subscription is set to end and does not renew any more.'],
] as const)('a price that can never apply (%s) says so, and that a date of Invo’s is none', (applies, sentence) => {
  const title = '120.01 USD is staged';
  expect(priced(stages(applies), { ...ANSWER, applies_from: null })).toEqual({ title, sentences: [sentence] });
  expect(priced(stages(applies))).toEqual({ title, sentences: [sentence, 'Invo’s answer names a date all the same.'] });
});

test('what Invo did not queue, and what was cleared, keep their own words', () => {
  expect(priced(stages('never_doubled'), { ...ANSWER, change_queued: false }).title).toBe('Nothing is staged');
  expect(priced({ kind: 'clears', staged: '70.00' }, { ...ANSWER, change_queued: false }).title).toBe('The staged price is cleared');
});

test('the form says before that a price of what is set to end will never be applied', () => {
  expect(sayPriceEffect(stages('never_renews'), { current: '60.00', asked: '50.00' }, null)).toBe(
    'It would be staged and never applied, since the subscription is set to end and does not renew any more.',
  );
});

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
