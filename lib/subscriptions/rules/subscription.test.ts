import { describe, expect, it } from 'vitest';
import { accessOf, isSubscriptionEnded, type PendingPrice, pendingPriceOf } from './subscription.ts';

describe('a subscription', () => {
  it.each([
    ['canceled', true],
    ['expired', true],
    ['active', false],
    [null, false],
  ])('with the status %s has ended: %s', (status, hasEnded) => {
    expect(isSubscriptionEnded(status)).toBe(hasEnded);
  });
});

describe('access', () => {
  it.each([
    [null, null, 'never'],
    [null, '2026-12-03T00:00:00Z', 'trial'],
    [null, '2026-11-21T12:00:00Z', 'never'],
    ['2026-11-21T12:00:00.001Z', null, 'until'],
    ['2026-11-21T12:00:00.001Z', '2026-12-03T00:00:00Z', 'until'],
    ['2026-11-21T12:00:00Z', null, 'ended'],
    ['2026-11-20T12:00:00Z', null, 'ended'],
  ])('with paid_through %s and trial_end %s is at noon: %s', (paid_through, trial_end, kind) => {
    expect(accessOf({ paid_through, trial_end }, '2026-11-21T12:00:00Z').kind).toBe(kind);
  });
});

const RUNNING = { status: 'active', cancel_at_period_end: false };

describe('a pending price', () => {
  it.each<[string | null, string | null, PendingPrice | null]>([
    ['10.00', null, null],
    ['10.00', '20.00', 'applies'],
    ['10.00', '20.01', 'may_not_apply'],
    ['10.00', '5.00', 'applies'],
    ['400.00', '500.00', 'applies'],
    ['400.00', '500.01', 'may_not_apply'],
    ['700.00', '600.00', 'applies'],
    [null, '12.00', 'applies'],
    [null, '501.00', 'may_not_apply'],
  ])('from %s to %s has the outcome %s', (amount, pending, staged) => {
    expect(pendingPriceOf({ ...RUNNING, amount_usd: amount, pending_amount_usd: pending })).toBe(staged);
  });
  it.each<[string | null, boolean | null, string | null, PendingPrice | null]>([
    ['active', true, '12.00', 'never_renews'],
    ['canceled', false, '12.00', 'never_renews'],
    ['expired', null, '12.00', 'never_renews'],
    ['active', true, '520.00', 'never_renews'],
    ['active', true, null, null],
    ['active', null, '12.00', 'applies'],
  ])(
    'of a subscription that is %s, set to end %s, with %s pending, has the outcome %s',
    (status, cancel_at_period_end, pending_amount_usd, staged) => {
      expect(pendingPriceOf({ status, cancel_at_period_end, amount_usd: '10.00', pending_amount_usd })).toBe(staged);
    },
  );
});
