import { expect, test } from 'vitest';
import { sampleFacts } from '#e2e/support/refunds/sample-refund.ts';
import { coinsTaken, estimateRefund, previewReversal, riskKey, riskOf } from './estimate.ts';
import type { RefundFacts } from './stored.ts';

const WHEN = { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' };
const PARTLY = { refunded_to_date_usd: '5.00', refund_count: 1, partner_revenue_reversed_usd: '4.50' };

// Worked out by hand from document 2, refund effects: 10 coins a USD for a part; the completing one returns the card charge and takes those coins back.
test.each<[string, RefundFacts, string, object]>([
  [
    'a full refund of a card period',
    sampleFacts(),
    '20.00',
    {
      card_refunded_usd: '20.00',
      balance_delta_coins: null,
      partner_revenue_reversed_usd: '18.00',
      card_fee_charged_to_partner_usd: '2.00',
      partner_revenue_reversal_mode: 'full',
      remaining_refundable_usd: '0.00',
      wallet_below_zero: null,
    },
  ],
  [
    'a part of a card period gives coins and leaves the card alone',
    sampleFacts(),
    '5.00',
    {
      card_refunded_usd: '0.00',
      balance_delta_coins: '50.00',
      partner_revenue_reversed_usd: '4.50',
      card_fee_charged_to_partner_usd: '0.50',
      partner_revenue_reversal_mode: 'prorata',
      remaining_refundable_usd: '15.00',
      wallet_below_zero: false,
    },
  ],
  [
    'the part that completes returns the whole card charge, and takes back coins of which Invo doesn’t report how many the charge minted',
    sampleFacts(PARTLY),
    '15.00',
    {
      card_refunded_usd: '20.00',
      balance_delta_coins: null,
      partner_revenue_reversed_usd: '13.50',
      card_fee_charged_to_partner_usd: '1.50',
      partner_revenue_reversal_mode: 'full',
      total_refunded_amount_usd: '20.00',
      wallet_below_zero: null,
    },
  ],
  [
    'a period the wallet paid for gets its coins back',
    sampleFacts({ rail: 'pcstore', card_charged_usd: null, balance_applied_coins: '200.00' }),
    '20.00',
    { card_refunded_usd: '0.00', balance_delta_coins: '200.00', wallet_below_zero: false, card_fee_charged_to_partner_usd: null },
  ],
  [
    'a mixed one gets the card charge back, and unknown coins',
    sampleFacts({ card_charged_usd: '14.00', balance_applied_coins: '60.00' }),
    '20.00',
    { card_refunded_usd: '14.00', balance_delta_coins: null },
  ],
  [
    'what is not recorded is not known, never zero',
    sampleFacts({ card_charged_usd: null, balance_applied_coins: null, partner_revenue_settled_usd: null }),
    '20.00',
    {
      card_refunded_usd: null,
      balance_delta_coins: null,
      partner_revenue_reversed_usd: null,
      card_fee_charged_to_partner_usd: null,
      wallet_below_zero: null,
    },
  ],
])('%s', (_, facts, amount, expected) => {
  expect(estimateRefund(facts, amount, WHEN)).toMatchObject(expected);
});

test('the recipient retains the attributed amount less its refunded part', () => {
  expect(estimateRefund(sampleFacts(), '5.00', WHEN).recipient).toEqual({
    recipient_player_id: 901,
    original_usd: '1.80',
    refunded_usd: '0.45',
    net_usd: '1.35',
  });
  expect(estimateRefund(sampleFacts(PARTLY), '15.00', WHEN).recipient).toMatchObject({ refunded_usd: '1.80', net_usd: '0.00' });
  expect(estimateRefund(sampleFacts({ attribution: null }), '5.00', WHEN).recipient).toBeNull();
});

/** Paid by neither a card nor coins: only coins of earlier partial refunds are taken back. */
const NO_CARD = { ...PARTLY, card_charged_usd: '0.00', balance_applied_coins: '0.00' };

test('the wallet balance afterwards is estimated only when there is one currency and no card was charged', () => {
  expect(estimateRefund(sampleFacts(NO_CARD), '15.00', WHEN).wallets).toEqual([
    { currency_name: 'Gems', before: '12.00', after: '-38.00' },
  ]);
  expect(estimateRefund(sampleFacts(PARTLY), '15.00', WHEN).wallets).toEqual([{ currency_name: 'Gems', before: '12.00', after: null }]);
  const two = [
    { currency_name: 'Gems', available_balance: '12.00' },
    { currency_name: 'Gold', available_balance: '900.00' },
  ];
  const estimate = estimateRefund(sampleFacts(NO_CARD, { wallets: two }), '15.00', WHEN);
  expect(estimate.wallets?.map((wallet) => wallet.after)).toEqual([null, null]);
  expect(estimate.wallet_below_zero).toBeNull();
});

test('a risk must be confirmed when the wallet goes below zero, or may, and when the charge is disputed', () => {
  const keyOf = (facts: RefundFacts, amount: string): string | null => riskKey(riskOf(facts.period, estimateRefund(facts, amount, WHEN)));
  expect(keyOf(sampleFacts(NO_CARD), '15.00')).toMatch(/^wallet -\d+\.\d+$/);
  expect(keyOf(sampleFacts(NO_CARD, { wallets: null }), '15.00')).toBe('wallet unknown');
  expect(keyOf(sampleFacts(NO_CARD, { wallets: [{ currency_name: null, available_balance: '50.00' }] }), '15.00')).toBeNull();
  expect(keyOf(sampleFacts({}, { wallets: null }), '5.00')).toBeNull();
  const disputed = { chargeback_fees_usd: '15.00', disputed_amount_held_usd: '20.00' };
  expect(keyOf(sampleFacts(disputed), '5.00')).toBe('chargeback_fees_usd 15.00, disputed_amount_held_usd 20.00');
  expect(keyOf(sampleFacts({ ...NO_CARD, ...disputed }), '15.00')).toMatch(/^wallet -[\d.]+, chargeback_fees_usd 15\.00, disputed/);
  expect(keyOf(sampleFacts({ chargeback_fees_usd: '0.00', disputed_amount_held_usd: null }), '5.00')).toBeNull();
  expect(coinsTaken(estimateRefund(sampleFacts(NO_CARD), '15.00', WHEN))).toBe('50.00');
  expect(coinsTaken(estimateRefund(sampleFacts(), '5.00', WHEN))).toBeNull();
});

test('a refund that completes a period charged to a card needs a second confirmation: the coins it takes are unknown', () => {
  const keyOf = (facts: RefundFacts, amount: string): string | null => riskKey(riskOf(facts.period, estimateRefund(facts, amount, WHEN)));
  expect(keyOf(sampleFacts(), '20.00')).toBe('wallet unknown');
  expect(keyOf(sampleFacts({}, { wallets: [{ currency_name: null, available_balance: '9000.00' }] }), '20.00')).toBe('wallet unknown');
  expect(keyOf(sampleFacts(), '5.00')).toBeNull();
  expect(keyOf(sampleFacts({ rail: 'pcstore', card_charged_usd: null, balance_applied_coins: '200.00' }), '20.00')).toBeNull();
});

test('access ends earlier only when the last paid period is fully refunded', () => {
  const access = (facts: RefundFacts, amount: string): unknown => estimateRefund(facts, amount, WHEN).access;
  expect(access(sampleFacts(), '20.00')).toEqual({ until_before: '2026-12-01T00:00:00Z', until_after: '2026-11-01T00:00:00Z' });
  expect(access(sampleFacts(), '5.00')).toEqual({ until_before: '2026-12-01T00:00:00Z', until_after: '2026-12-01T00:00:00Z' });
  expect(access(sampleFacts({ period_end: '2026-10-01T00:00:00Z' }), '20.00')).toMatchObject({ until_after: '2026-12-01T00:00:00Z' });
  expect(access(sampleFacts({}, { otherPaidUntil: { instant: null } }), '20.00')).toMatchObject({ until_after: null });
  expect(access(sampleFacts({}, { otherPaidUntil: null }), '20.00')).toBeNull();
  expect(access(sampleFacts({}, { subscription: null }), '20.00')).toBeNull();
});

test("the reversal is reported in the month of the game's time zone, not of UTC", () => {
  const late = { now: '2026-11-30T13:00:00Z', timeZone: 'Pacific/Kiritimati' };
  expect(estimateRefund(sampleFacts(), '5.00', late).reversal_month).toBe('2026-12');
  expect(estimateRefund(sampleFacts(), '5.00', WHEN).reversal_month).toBe('2026-11');
});

test('the reversed partner revenue is unknown when less was reversed than the refunded portion', () => {
  const untouched = sampleFacts({ ...PARTLY, partner_revenue_reversed_usd: '0.00', refund_basis: 'none' });
  expect(estimateRefund(untouched, '15.00', WHEN)).toMatchObject({
    partner_revenue_reversed_usd: null,
    card_fee_charged_to_partner_usd: null,
  });
  const rounded = sampleFacts({ ...PARTLY, partner_revenue_reversed_usd: '4.49' });
  expect(estimateRefund(rounded, '15.00', WHEN).partner_revenue_reversed_usd).toBe('13.51');
});

test('after refunds without receipts the reversed partner revenue of a completing refund is unknown, that of a part is known', () => {
  const coarse = sampleFacts({ ...PARTLY, refund_basis: 'period_row' });
  expect(estimateRefund(coarse, '15.00', WHEN)).toMatchObject({
    partner_revenue_reversed_usd: null,
    card_fee_charged_to_partner_usd: null,
  });
  expect(estimateRefund(coarse, '5.00', WHEN).partner_revenue_reversed_usd).not.toBeNull();
  expect(estimateRefund(sampleFacts({ refund_basis: 'period_row' }), '20.00', WHEN).partner_revenue_reversed_usd).not.toBeNull();
});

test.each([
  ['2026-11-21T12:00:00Z', 'UTC', '2026-11', null],
  ['2026-11-30T00:00:00Z', 'UTC', '2026-11', { month: '2026-12', from: '2026-12-01T00:00:00Z' }],
  ['2026-11-29T23:59:59Z', 'UTC', '2026-11', null],
  ['2026-12-31T20:00:00Z', 'UTC', '2026-12', { month: '2027-01', from: '2027-01-01T00:00:00Z' }],
  ['2026-11-30T10:00:00Z', 'Pacific/Kiritimati', '2026-12', null],
  ['2026-11-30T09:59:59Z', 'Pacific/Kiritimati', '2026-11', { month: '2026-12', from: '2026-11-30T10:00:00Z' }],
])('a refund made at %s in %s is reported in %s, or in %j', (instant, timeZone, month, orLater) => {
  expect(previewReversal(instant, timeZone)).toEqual({ month, orLater });
});
