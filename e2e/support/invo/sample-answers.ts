const NOTICE = {
  settled_by_invo: false,
  invo_has_paid_no_recipient: true,
  document_type: 'attribution_report',
  not_a_remittance_advice: true,
  payer: 'partner',
  statement: 'Invo settles to the partner only.',
};

const LINE = {
  period_id: 7001,
  subscription_id: 'SUB_1767225600_AAAAAAAA',
  period_seq: 3,
  item_id: 55,
  item_name: 'Guild pass',
  status: 'paid',
  period_start: '2026-03-02T00:00:00Z',
  period_end: '2026-04-02T00:00:00Z',
  paid_at: '2026-03-02T00:00:01.250+01:00',
  amount_usd: '10.00',
  invo_fee_usd: '1.00',
  partner_revenue_usd: '9.00',
  partner_revenue_settled_usd: '9.00',
  partner_revenue_reversed_usd: '0.00',
  partner_leg_reversed: false,
  funding: { amount_coins: '0.00', balance_applied_coins: '0.00', card_charged_usd: '10.00', rail: 'card', pcstore_charged_usd: '0.00' },
  refund: { refunded_amount_usd: '0.00', refunded_at: null },
  transaction_id: 'TX_1',
  mint_order_id: null,
  attribution: {
    recipient_player_id: 42,
    percent_at_renewal: '12.5',
    base_usd: '9.00',
    attributed_amount_usd: '1.125',
    settled_by_invo: false,
    recipient: null,
  },
  attribution_unavailable_reason: null,
  settled_by_invo: false,
  reconciliation: { checked: true, expected_base_usd: '9.00', recorded_base_usd: '9.00', base_matches_settled_fee: true },
};

const EVENT = {
  refunded_at: '2026-03-09T10:00:00Z',
  refunded_amount_usd: '4.00',
  cumulative_refunded_before_usd: '0.00',
  cumulative_refunded_after_usd: '4.00',
  reversed_attributed_usd: '0.45',
  partner_revenue_reversed_usd: '3.60',
  partner_revenue_reversal_basis: 'clawback',
  is_full_refund: false,
  settled_by_invo: false,
};

const TOTALS = {
  renewals_settled: 1,
  settled_gross_usd: '10.00',
  invo_fee_usd: '1.00',
  partner_revenue_settled_usd: '9.00',
  partner_revenue_reversed_usd: '3.60',
  partner_revenue_usd: '5.40',
  renewals_with_attribution: 1,
  renewals_without_attribution: 0,
  unattributed_reasons: { no_revenue_share_configured: 0, spend_order_not_found: 0 },
  gross_attributed_usd: '1.125',
  reversed_attributed_usd: '0.45',
  net_attributed_usd: '0.675',
  renewals_settled_then_fully_reversed: 0,
  refund_events_in_window: 1,
  reversals_without_receipts: 0,
  recipient_count: 1,
  settled_by_invo: false,
};

const REVERSAL = {
  period_id: 7001,
  subscription_id: 'SUB_1767225600_AAAAAAAA',
  period_seq: 3,
  status: 'paid',
  paid_at: '2026-03-01T23:00:01.250Z',
  settled_in_this_window: true,
  amount_usd: '10.00',
  originally_attributed_usd: '1.125',
  refunded_to_date_usd: '4.00',
  latest_refund_at: '2026-03-09T10:00:00Z',
  reversed_attributed_usd: '0.45',
  partner_revenue_reversed_usd: '3.60',
  refund_events: [EVENT],
  reversal_basis: 'refund_receipts',
  nets_to_zero_in_window: false,
  note: null,
};

const RECIPIENT = {
  recipient: { player_id: 42, resolved: true, player_email: 'ada@example.test', player_name: 'Ada', identity_id: 'ID_9' },
  renewal_count: 1,
  subscription_count: 1,
  gross_attributed_usd: '1.125',
  reversed_attributed_usd: '0.45',
  net_attributed_usd: '0.675',
  first_paid_at: '2026-03-01T23:00:01.250Z',
  last_paid_at: '2026-03-01T23:00:01.250Z',
  settled_by_invo: false,
  periods: [LINE],
  periods_truncated: false,
  reversals: [REVERSAL],
  reversal_count: 1,
  reversals_truncated: false,
};

const SHARE = {
  recipient_player_id: 42,
  percent: 12.5,
  applies_to: 'future_renewals_only',
  is_payout_basis: false,
  settled_by_invo: false,
  note: '',
  updated_at: null,
};

/** The window the sample report answers. */
export const sampleWindow = { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' };

/** A sound report of one recipient with one partly refunded renewal; every documented field is there. */
export function sampleReport(): unknown {
  return structuredClone({
    status: 'success',
    attribution_notice: NOTICE,
    report: {
      type: 'attribution',
      game_id: 77,
      generated_at: '2026-04-02T00:00:00Z',
      window: { start: '2026-03-01T00:00:00.000+00:00', end: '2026-04-01T00:00:00.000Z', end_exclusive: true },
      filters: { recipient_player_id: null, subscription_id: null },
      derivation: { base: 'prose' },
      known_limits: { inline: 500 },
    },
    totals: TOTALS,
    recipients: [RECIPIENT],
    pagination: { total_count: 1, limit: 100, offset: 0, has_more: false },
  });
}

/** A sound page of cycles: one paid, one never paid. */
export function sampleCycles(): unknown {
  const pending = {
    ...LINE,
    period_id: 7002,
    status: 'pending',
    paid_at: null,
    partner_revenue_usd: null,
    invo_fee_usd: null,
    attribution: null,
  };
  return structuredClone({
    status: 'success',
    attribution_notice: NOTICE,
    subscription: {
      subscription_id: LINE.subscription_id,
      status: 'active',
      item_id: 55,
      item_name: 'Guild pass',
      current_amount_usd: '10.00',
      interval: 'month',
      interval_count: 1,
      created_at: null,
    },
    current_revenue_share: SHARE,
    lifetime_totals: { ...TOTALS, recipient_player_ids: [42] },
    periods: [pending, LINE],
    pagination: { total_count: 2, limit: 50, offset: 0, has_more: false },
  });
}

/** A sound page of one period with one partial refund. */
export function samplePeriodReport(): unknown {
  return structuredClone({
    status: 'success',
    attribution_notice: NOTICE,
    subscription: { subscription_id: LINE.subscription_id, status: 'active' },
    period: LINE,
    fee_legs: { invo_fee_usd: '1.00', invo_fee_percent: '10', partner_revenue_after_fees_usd: '-0.25' },
    refunds: {
      refund_count: 1,
      refunded_to_date_usd: '4.00',
      latest_refund_at: EVENT.refunded_at,
      basis: 'refund_receipts',
      events: [{ ...EVENT, refund_transaction_id: 991 }],
    },
    charge: { attempts_for_period: 1, paid_attempt_no: 1, paid_attempt_at: null, outcome: 'succeeded' },
    current_revenue_share: null,
  });
}

/** The same answer with one value put at a path such as `recipients.0.net_attributed_usd`; undefined takes the field away. */
export function withValue(answer: unknown, path: string, value: unknown): unknown {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let holder = answer as Record<string, unknown>;
  for (const key of keys) holder = holder[key] as Record<string, unknown>;
  if (!(last in holder)) throw new Error(`the sample has no ${path}`);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return answer;
}
