import { expect, test } from 'vitest';
import { sampleSubscription } from '#e2e/support/subscriptions/sample-subscription.ts';
import { digestFacts } from './read-change-facts.ts';
import type { SubscriptionFacts } from './rules/subscription.ts';

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
])('a form is invalid when the subscription changes by %j', (changed) => {
  expect(digestFacts(sampleSubscription(changed), NOW)).not.toBe(digestFacts(sampleSubscription(), NOW));
});

test('a form stays valid while the facts it showed are unchanged, until the paid period ends', () => {
  const shown = digestFacts(sampleSubscription(), NOW);
  expect(digestFacts(sampleSubscription({ next_charge_at: null }), '2026-11-30T23:59:59Z')).toBe(shown);
  expect(digestFacts(sampleSubscription(), '2026-12-01T00:00:00Z')).not.toBe(shown);
});
