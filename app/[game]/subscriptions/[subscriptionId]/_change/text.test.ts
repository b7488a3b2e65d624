import { expect, test } from 'vitest';
import { canceled } from '#lib/invo/routes/subscription-changes.ts';
import type { PricePreview } from '#lib/subscriptions/rules/changes.ts';
import { formatCanceled, formatCardPreview, formatPriceChanged, formatPricePreview } from './text.ts';

const ONE = { subscription_id: 'SUB_1767225600_AAAAAAAA', player_id: 9 };

test.each([
  [{ cancel_at_period_end: true }, 'The subscription is set to end'],
  [{ cancel_at_period_end: false, access_until: '2026-04-02T00:00:00Z' }, 'The subscription has ended'],
  [{ terminated_immediately: true }, 'The subscription has ended'],
  [{ access_until: '2026-04-02T00:00:00Z' }, 'The cancellation was accepted'],
  [{ effective_at: '2026-04-02T00:00:00Z', subscription: { ...ONE, cancel_at_period_end: true } }, 'The subscription is set to end'],
  [{ subscription: { ...ONE, status: 'canceled' } }, 'The subscription has ended'],
])('a cancellation answered with %j is titled “%s”', (answer, title) => {
  expect(formatCanceled(canceled.parse(answer), 'UTC').title).toBe(title);
});

test.each([
  [false, /hasn’t ended yet.*won’t charge again/],
  [true, /game store agreement has ended/],
])('a game store agreement with pcstore_agreement_canceled %j reads accordingly', (pcstore_agreement_canceled, text) => {
  const { sentences } = formatCanceled(canceled.parse({ cancel_at_period_end: true, pcstore_agreement_canceled }), 'UTC');
  expect(sentences.join(' ')).toMatch(text);
});

const ANSWER = {
  old_amount_usd: '60.00',
  new_amount_usd: '120.01',
  pending_amount_usd: '120.01',
  change_queued: true,
  applies_from: '2026-12-05T10:00:00Z',
  applies_from_period_seq: 2,
} as Parameters<typeof formatPriceChanged>[0]['answer'];

const pending = (applies: 'applies' | 'may_not_apply' | 'never_renews'): PricePreview => ({
  kind: 'pending',
  applies,
  replaces: null,
});
const changed = (preview: PricePreview, answer = ANSWER) =>
  formatPriceChanged({ answer, preview, requested: { amount_usd: '120.01', isClearing: preview.kind === 'clears' } }, 'UTC');

test('a price that applies is shown with the date it applies from', () => {
  expect(changed(pending('applies'))).toEqual({
    title: '$120.01 is pending',
    sentences: ['Applies from 5 Dec 2026 10:00 UTC, with period 2. Until then, the current price is billed.'],
  });
});

test.each([
  [
    'may_not_apply',
    'This price may not take effect: it is more than twice the last agreed price, or over $500.00. Until it does, the price stays $60.00.',
  ],
  ['never_renews', 'This price will never take effect: the subscription is set to end and doesn’t renew again.'],
] as const)('a price that may never apply (%s) says so, even when Invo’s answer includes a date', (applies, sentence) => {
  const title = '$120.01 is pending';
  expect(changed(pending(applies), { ...ANSWER, applies_from: null })).toEqual({ title, sentences: [sentence] });
  expect(changed(pending(applies))).toEqual({ title, sentences: [sentence, 'Invo’s answer includes a date anyway.'] });
});

test('a change that Invo didn’t queue and a cleared price have their own titles', () => {
  expect(changed(pending('may_not_apply'), { ...ANSWER, change_queued: false }).title).toBe('No price change is pending');
  expect(changed({ kind: 'clears', pending: '70.00' }, { ...ANSWER, change_queued: false }).title).toBe('The pending price is cleared');
});

test('the preview of a price of a subscription that is set to end says that it never applies', () => {
  expect(formatPricePreview(pending('never_renews'), { current: '60.00', requested: '50.00' }, null)).toBe(
    'This price will never take effect: the subscription is set to end and doesn’t renew again.',
  );
});

const facts = { status: 'active', next_charge_at: '2026-12-05T10:00:00Z', cancel_at_period_end: false };

test.each([
  ['an active subscription', {}, 'Next charge: 5 Dec 2026 10:00 UTC.'],
  ['a subscription with a failed payment', { status: 'retrying' }, 'Next payment retry: 5 Dec 2026 10:00 UTC.'],
  [
    'a subscription that awaits authentication and is set to end',
    { status: 'awaiting_authentication', cancel_at_period_end: true },
    'Authentication deadline: 5 Dec 2026 10:00 UTC.',
  ],
])('the preview of a card change of %s shows what comes next', (_, differing, sentence) => {
  expect(formatCardPreview({ ...facts, ...differing }, 'UTC')).toContain(sentence);
});

test('the preview of a card change of a subscription that is set to end promises no charge', () => {
  expect(formatCardPreview({ ...facts, cancel_at_period_end: true }, 'UTC')).toBe(
    'The card is attached, but the subscription is set to end and won’t be charged again. Nothing is charged now.',
  );
});
