import { expect, test } from 'vitest';
import { parseStoredAnswer, parseStoredEstimate, parseStoredFacts, parseStoredReceipt } from './stored.ts';

// Rows as the first versions of Sharebook wrote them, letter by letter.
const OLD_FACTS = `{"period": {"rail": "card", "events": [{"refunded_at": "2026-10-02T09:00:00Z", "is_full_refund": false, "refunded_amount_usd": "5.00",
  "refund_transaction_id": "RFD_1", "reversed_attributed_usd": "0.45", "partner_revenue_reversed_usd": "4.50",
  "cumulative_refunded_after_usd": "5.00", "cumulative_refunded_before_usd": null}],
  "status": "partially_refunded", "paid_at": "2026-10-01T00:00:05Z", "item_name": "Guild pass", "period_id": 4711, "period_end": null,
  "period_seq": 3, "amount_usd": "20.00", "attribution": {"percent_at_renewal": "10", "recipient_player_id": 901,
  "attributed_amount_usd": "1.80", "reversed_attributed_usd": null}, "invo_fee_usd": "2.00", "period_start": null, "refund_basis": "refund_receipts",
  "refund_count": 1, "subscription_id": "SUB_1_sample", "card_charged_usd": "20.00", "latest_refund_at": "2026-10-02T09:00:00Z",
  "pcstore_charged_usd": "0.00", "refunded_to_date_usd": "5.00", "balance_applied_coins": null, "partner_revenue_settled_usd": "18.00",
  "partner_revenue_reversed_usd": "4.50"}, "read_at": "2026-11-21T12:00:00Z", "wallets": null, "subscription": null, "otherPaidUntil": {"instant": null}}`;
const OLD_ESTIMATE = `{"access": null, "wallets": [{"after": "62.00", "before": "12.00", "currency_name": "Gems"}], "recipient": null, "is_full_refund": false,
  "reversal_month": "2026-11", "card_refunded_usd": "0.00", "wallet_below_zero": false, "refunded_amount_usd": "5.00", "balance_delta_coins": "50.00",
  "invo_fee_retained_usd": "2.00", "remaining_refundable_usd": "10.00", "total_refunded_amount_usd": "10.00", "partner_revenue_reversed_usd": "4.50",
  "partner_revenue_reversal_mode": "prorata", "card_fee_charged_to_partner_usd": "0.50"}`;
const OLD_RECEIPT = `{"refunded_at": "2026-11-21T12:00:01Z", "new_balance": null, "funding_shape": "wallet", "is_full_refund": false, "card_refunded_usd": "0.00",
  "invo_fee_retained": true, "refunded_amount_usd": "5.00", "balance_delta_coins": "50.0", "processor_refund_adopted": false,
  "remaining_refundable_usd": "10.00", "processor_refund_reference": null, "total_refunded_amount_usd": "10.00",
  "partner_revenue_reversed_usd": "4.50", "partner_revenue_reversal_mode": "prorata", "card_fee_charged_to_partner_usd": "0.50",
  "revenue_share_attribution": null}`;

test('facts of the first version parse, with the two fields that came later at their defaults', () => {
  const facts = parseStoredFacts(JSON.parse(OLD_FACTS));
  expect(facts.period).toMatchObject({ refunds_told: true, attribution_unavailable_reason: null, amount_usd: '20.00' });
  expect(facts.period.events).toHaveLength(1);
  expect(facts.otherPaidUntil).toEqual({ instant: null });
});

test('an estimate and a receipt of the first version parse unchanged', () => {
  expect(parseStoredEstimate(JSON.parse(OLD_ESTIMATE))).toEqual(JSON.parse(OLD_ESTIMATE));
  expect(parseStoredReceipt(JSON.parse(OLD_RECEIPT))).toEqual(JSON.parse(OLD_RECEIPT));
});

test('no receipt is null, and a receipt from a period has nulls where the period reports nothing', () => {
  expect(parseStoredReceipt(null)).toBeNull();
  expect(parseStoredReceipt({ refunded_amount_usd: '5.00' })).toMatchObject({ refunded_amount_usd: '5.00', new_balance: null });
});

test('the fields of an answer are text by name, and none are an empty list', () => {
  expect(parseStoredAnswer({ remaining_usd: '4.00' })).toEqual({ remaining_usd: '4.00' });
  expect(parseStoredAnswer(null)).toEqual({});
});

test('JSON of a later version or another shape is refused', () => {
  expect(() => parseStoredFacts({ version: 2 })).toThrow('unknown version 2');
  expect(() => parseStoredEstimate({ refunded_amount_usd: 5 })).toThrow();
  expect(() => parseStoredReceipt({ refunded_amount_usd: 5 })).toThrow();
  expect(() => parseStoredFacts('text')).toThrow();
});
