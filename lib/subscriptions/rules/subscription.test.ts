import { describe, expect, it, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import {
  accessOf,
  digestFacts,
  isSubscriptionEnded,
  nextChargeText,
  STAGED_PRICE_TEXT,
  type StagedPrice,
  type SubscriptionFacts,
  stagedPriceOf,
  subscriptionStatusText,
} from './subscription.ts';

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

describe('the state', () => {
  it.each([
    ['active', 'Active', 'Next charge'],
    ['retrying', 'A charge failed and is being retried', 'Next retry of the failed charge'],
    ['awaiting_authentication', 'Waiting for the bank’s check', 'The player must pass the bank’s check by'],
    ['pending_pcstore_authorization', 'Waiting for the game store to agree', 'Next touch by Invo'],
    ['on_ice', 'Invo says “on_ice”', 'Next touch by Invo'],
    ['constructor', 'Invo says “constructor”', 'Next touch by Invo'],
    [null, 'State not recorded', 'Next touch by Invo'],
  ])('%s is told, and what its next charge means', (status, label, nextCharge) => {
    expect(subscriptionStatusText(status)).toMatchObject({ label, nextCharge });
    expect(nextChargeText(status, false).label).toBe(nextCharge);
  });
  it('that ends with what is paid has no further charge', () => {
    expect(nextChargeText('active', true).none).toBe('none, it ends with what is paid');
    expect(nextChargeText('canceled', true).none).toBe('none, it is canceled');
  });
  it('that ends still tells the deadline of the bank’s check', () => {
    expect(nextChargeText('awaiting_authentication', true)).toEqual({
      label: 'The player must pass the bank’s check by',
      none: 'no deadline is set',
    });
  });
  it.each([
    ['canceled', true],
    ['expired', true],
    ['active', false],
    [null, false],
  ])('%s has ended: %s', (status, hasEnded) => {
    expect(isSubscriptionEnded(status)).toBe(hasEnded);
  });
});

describe('access', () => {
  it.each([
    [null, 'never'],
    ['2026-11-21T12:00:00.001Z', 'until'],
    ['2026-11-21T12:00:00Z', 'ended'],
    ['2026-11-20T12:00:00Z', 'ended'],
  ])('paid through %s at noon: %s', (paid_through, kind) => {
    expect(accessOf(paid_through, '2026-11-21T12:00:00Z').kind).toBe(kind);
  });
});

const RUNNING = { status: 'active', cancel_at_period_end: false };

describe('a staged price', () => {
  it.each<[string | null, string | null, StagedPrice | null]>([
    ['10.00', null, null],
    ['10.00', '20.00', 'applies'],
    ['10.00', '20.01', 'never_doubled'],
    ['10.00', '5.00', 'applies'],
    ['400.00', '500.00', 'applies'],
    ['400.00', '500.01', 'never_above_limit'],
    ['700.00', '600.00', 'applies'],
    [null, '12.00', 'applies'],
    [null, '501.00', 'never_above_limit'],
  ])('from %s to %s: %s', (amount, pending, staged) => {
    expect(stagedPriceOf({ ...RUNNING, amount_usd: amount, pending_amount_usd: pending })).toBe(staged);
  });
  it.each<[string | null, boolean | null, string | null, StagedPrice | null]>([
    ['active', true, '12.00', 'never_renews'],
    ['canceled', false, '12.00', 'never_renews'],
    ['expired', null, '12.00', 'never_renews'],
    ['active', true, '520.00', 'never_renews'],
    ['active', true, null, null],
    ['active', null, '12.00', 'applies'],
  ])('of one that is %s, set to end: %s, staged %s: %s', (status, cancel_at_period_end, pending_amount_usd, staged) => {
    expect(stagedPriceOf({ status, cancel_at_period_end, amount_usd: '10.00', pending_amount_usd })).toBe(staged);
  });
  it('that applies says at which price the current window is billed first', () => {
    expect(STAGED_PRICE_TEXT.applies).toContain('first bills the current window at the old price');
  });
});
