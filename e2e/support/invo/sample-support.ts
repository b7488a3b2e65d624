/** The subscription all support samples are about. */
export const SAMPLE_SUBSCRIPTION = 'SUB_1767225600_AAAAAAAA';

/** The email all support samples are about. */
export const SAMPLE_EMAIL = 'ada+guild@example.test';

const PLAYER = {
  player_id: 9,
  player_name: 'Ada',
  player_email: SAMPLE_EMAIL,
  identity_id: 'ID_9',
  date_joined: '2025-01-02T00:00:00Z',
};

const SUBSCRIPTION = {
  subscription_id: SAMPLE_SUBSCRIPTION,
  game_id: 77,
  player_id: 9,
  client_request_id: 'create-1',
  status: 'active',
  amount_usd: '20.00',
  pending_amount_usd: null,
  interval: 'month',
  interval_count: 1,
  item_id: 55,
  item_name: 'Guild pass',
  current_period_start: '2026-03-02T00:00:00Z',
  current_period_end: '2026-04-02T00:00:00Z',
  period_seq: 3,
  next_charge_at: '2026-04-02T00:00:00Z',
  cancel_at_period_end: false,
  trial_end: null,
  canceled_at: null,
  ended_at: null,
  wallet_only: false,
  has_payment_method: true,
  funding_rail: 'card',
  pcstore_agreement_status: null,
  metadata: { tier: 'gold' },
  consent: { accepted_at: null },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-03-02T00:00:00Z',
  revenue_share: { recipient_player_id: 42, percent: '12.5', settled_by_invo: false },
  paid_through: '2026-04-02T00:00:00Z',
};

const CARD = { id: 31, last_four: '4242', brand: 'visa', exp_month: 12, exp_year: 2029, created_at: '2026-01-01T00:00:00Z' };

const RECEIPT = {
  status: 'refunded',
  idempotent_replay: false,
  refund_key: 'rk_1',
  client_request_id: 'refund-0001',
  subscription_id: SAMPLE_SUBSCRIPTION,
  period_seq: 3,
  transaction_id: 'TX_R1',
  refunded_amount_usd: '4.00',
  total_refunded_amount_usd: '4.00',
  remaining_refundable_usd: '16.00',
  is_full_refund: false,
  funding_shape: 'card',
  balance_delta_coins: '40.00',
  card_refunded_usd: '0.00',
  processor_refund_reference: null,
  processor_refund_adopted: false,
  invo_fee_retained: true,
  partner_revenue_reversed_usd: '3.60',
  partner_revenue_reversal_mode: 'prorata',
  card_fee_charged_to_partner_usd: '0.40',
  reason: 'asked for',
  refunded_at: '2026-03-09T10:00:00Z',
  new_balance: '-12.50',
  revenue_share_attribution: {
    recipient_player_id: 42,
    percent: '12.5',
    original_attributed_amount_usd: '2.25',
    refunded_attributed_amount_usd: '0.45',
    net_attributed_amount_usd: '1.80',
    settled_by_invo: false,
  },
};

/** A sound subscription with its player inside, as requested with `include_player`. */
export function sampleSubscription(): unknown {
  return structuredClone({ status: 'success', subscription: { ...SUBSCRIPTION, player: PLAYER } });
}

/** A sound page of one player's subscriptions. */
export function samplePlayerSubscriptions(): unknown {
  const pagination = { total_count: 1, limit: 50, offset: 0, has_more: false };
  return structuredClone({ status: 'success', player_email: SAMPLE_EMAIL, subscriptions: [SUBSCRIPTION], pagination });
}

/** A sound wallet with one currency, overdrawn. */
export function samplePlayerBalances(): unknown {
  return structuredClone({
    player: PLAYER,
    balances: [{ currency_id: 1, currency_name: 'Gold', available_balance: '-12.50', reserved_balance: '0.00', total_balance: '-12.50' }],
    summary: { total_value: '-12.50', currency_count: 1, has_funds: false },
    last_updated: '2026-03-09T10:00:00Z',
  });
}

/** A sound list of one saved card. */
export function samplePlayerCards(): unknown {
  return structuredClone({ cards: [CARD] });
}

/** A sound full receipt of a partial refund. */
export function sampleReceipt(): unknown {
  return structuredClone(RECEIPT);
}

/** The reduced body of a refund whose receipt was lost. */
export function sampleReducedReceipt(): unknown {
  return { status: 'success', transaction_id: 'TX_R1', note: 'This refund was already processed.' };
}

/** A sound answer to a cancel at period end. */
export function sampleCanceled(): unknown {
  const subscription = { ...SUBSCRIPTION, cancel_at_period_end: true };
  return structuredClone({
    status: 'success',
    already_canceled: false,
    cancel_at_period_end: true,
    effective_at: '2026-04-02T00:00:00Z',
    current_period_end: '2026-04-02T00:00:00Z',
    access_until: '2026-04-02T00:00:00Z',
    paid_through: '2026-04-02T00:00:00Z',
    subscription,
  });
}

/** A sound answer to a staged change of price. */
export function sampleAmountChanged(): unknown {
  return structuredClone({
    status: 'success',
    old_amount_usd: '20.00',
    new_amount_usd: '15.00',
    pending_amount_usd: '15.00',
    change_queued: true,
    applies_from: '2026-04-02T00:00:00Z',
    applies_from_period_seq: 5,
    paid_through: '2026-04-02T00:00:00Z',
    current_period_end: '2026-04-02T00:00:00Z',
    prorated: false,
    subscription: { ...SUBSCRIPTION, pending_amount_usd: '15.00' },
  });
}

/** A sound answer to a change of card. */
export function sampleCardChanged(): unknown {
  return structuredClone({ status: 'success', replaced: true, wallet_only: false, card: CARD, subscription: SUBSCRIPTION });
}
