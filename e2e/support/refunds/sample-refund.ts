import type { PeriodFacts, RefundFacts } from '#lib/refunds/rules/stored.ts';

/** A card period of 20.00 USD: Invo's fee 2.00, partner 18.00, ten percent of that for the recipient; nothing refunded. */
export function samplePeriod(changed: Partial<PeriodFacts> = {}): PeriodFacts {
  return {
    period_id: 4711,
    subscription_id: 'SUB_1_sample',
    period_seq: 3,
    item_name: 'Guild pass',
    status: 'paid',
    period_start: '2026-11-01T00:00:00Z',
    period_end: '2026-12-01T00:00:00Z',
    paid_at: '2026-11-01T00:00:05Z',
    amount_usd: '20.00',
    invo_fee_usd: '2.00',
    partner_revenue_settled_usd: '18.00',
    partner_revenue_reversed_usd: '0.00',
    chargeback_fees_usd: null,
    disputed_amount_held_usd: null,
    rail: 'card',
    card_charged_usd: '20.00',
    pcstore_charged_usd: '0.00',
    balance_applied_coins: '0.00',
    refunds_told: true,
    refunded_to_date_usd: '0.00',
    refund_count: 0,
    latest_refund_at: null,
    refund_basis: 'refund_receipts',
    events: [],
    attribution: { recipient_player_id: 901, percent_at_renewal: '10', attributed_amount_usd: '1.80', reversed_attributed_usd: '0.00' },
    attribution_unavailable_reason: null,
    ...changed,
  };
}

/** The sample period with wallet and access: access to December from it alone, to November from another period, 12 coins in the wallet. */
export function sampleFacts(period: Partial<PeriodFacts> = {}, around: Partial<RefundFacts> = {}): RefundFacts {
  return {
    period: samplePeriod(period),
    subscription: { status: 'active', paid_through: '2026-12-01T00:00:00Z', player_id: 77 },
    otherPaidUntil: { instant: '2026-11-01T00:00:00Z' },
    wallets: [{ currency_name: 'Gems', available_balance: '12.00' }],
    read_at: '2026-11-21T12:00:00Z',
    ...around,
  };
}
