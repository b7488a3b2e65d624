import type { SubscriptionFacts } from '#lib/subscriptions/rules/subscription.ts';

/** A card subscription of 20.00 USD a month, active and paid through the end of November. */
export function sampleSubscription(changed: Partial<SubscriptionFacts> = {}): SubscriptionFacts & { amount_usd: string } {
  return {
    subscription_id: 'SUB_1_sample',
    player_id: 4711,
    item_name: 'Guild pass',
    status: 'active',
    pending_amount_usd: null,
    period_seq: 3,
    current_period_end: '2026-12-01T00:00:00Z',
    next_charge_at: '2026-12-01T00:00:00Z',
    cancel_at_period_end: false,
    wallet_only: false,
    has_payment_method: true,
    funding_rail: 'card',
    pcstore_agreement_status: null,
    paid_through: '2026-12-01T00:00:00Z',
    ...changed,
    amount_usd: changed.amount_usd ?? '20.00',
  };
}
