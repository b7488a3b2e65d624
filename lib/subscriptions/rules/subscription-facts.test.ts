import { expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { coverPersonal } from './cover-personal.ts';
import { findCardHindrance } from './find-card-hindrance.ts';
import { digestFacts, type SubscriptionFacts } from './subscription-facts.ts';

const NOW = '2026-11-21T12:00:00Z';

test.each<[Partial<SubscriptionFacts>]>([
  [{ status: 'retrying' }],
  [{ amount_usd: '21.00' }],
  [{ pending_amount_usd: '25.00' }],
  [{ period_seq: 4 }],
  [{ cancel_at_period_end: true }],
  [{ wallet_only: true }],
  [{ has_payment_method: false }],
  [{ funding_rail: 'pcstore' }],
  [{ paid_through: null }],
])('a form is held to %j', (changed) => {
  expect(digestFacts(sampleSubscription(changed), NOW)).not.toBe(digestFacts(sampleSubscription(), NOW));
});

test('a form holds as long as nothing it told of changes, and not past the end of what is paid', () => {
  const shown = digestFacts(sampleSubscription(), NOW);
  expect(digestFacts(sampleSubscription({ next_charge_at: null }), '2026-11-30T23:59:59Z')).toBe(shown);
  expect(digestFacts(sampleSubscription(), '2026-12-01T00:00:00Z')).not.toBe(shown);
});

test.each([
  [{}, 2, null],
  [{}, 0, 'no_cards'],
  [{}, null, 'player_unknown'],
  [{ status: 'canceled' }, 2, 'ended'],
  [{ funding_rail: 'pcstore' }, null, 'pcstore'],
  [{ funding_rail: 'pcstore', status: 'expired' }, 2, 'pcstore'],
])('a card of %j with %s cards is hindered by %s', (changed, cards, hindrance) => {
  expect(findCardHindrance(sampleSubscription(changed), cards)).toBe(hindrance);
});

test.each([
  ['Asked by mira.holt@players.example twice', 'Asked by m•••@p•••.example twice'],
  ['card 4242 4242 4242 4242 was lost', 'card •••• 4242 was lost'],
  ['card 4242424242424242', 'card •••• 4242'],
  ['SUB_1733392800_DESKMIRA is too dear', 'SUB_1733392800_DESKMIRA is too dear'],
])('%j is kept as %j', (text, kept) => {
  expect(coverPersonal(text)).toBe(kept);
});
