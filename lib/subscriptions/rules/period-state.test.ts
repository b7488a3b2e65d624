import { describe, expect, it } from 'vitest';
import { formatFunding, type PeriodState, periodStateOf } from './subscription.ts';

const PAID = { status: 'paid', paid_at: '2026-10-01T00:00:00Z', amount_usd: '50.00', refunded_amount_usd: '0.00' };

describe('a period', () => {
  it.each<[string, Partial<typeof PAID> | { paid_at: null; refunded_amount_usd: null }, PeriodState]>([
    ['paid without refunds', {}, 'paid'],
    ['paid, whose refunds are not reported', { refunded_amount_usd: null as never }, 'paid'],
    ['partially refunded, which Invo reports as paid', { refunded_amount_usd: '15.00' }, 'partly_refunded'],
    ['refunded by status and amount', { status: 'refunded', refunded_amount_usd: '50.00' }, 'refunded'],
    ['refunded by status alone', { status: 'refunded', refunded_amount_usd: null as never }, 'refunded'],
    ['refunded by amount', { refunded_amount_usd: '50.0' }, 'refunded'],
    ['partially refunded, whose price is not reported', { amount_usd: null as never, refunded_amount_usd: '5.00' }, 'partly_refunded'],
    ['pending', { status: 'pending', paid_at: null as never }, 'pending'],
    ['failed', { status: 'failed', paid_at: null as never }, 'failed'],
    ['forgiven', { status: 'forgiven', paid_at: null as never }, 'forgiven'],
    ['not paid, with an unknown status', { status: 'waived', paid_at: null as never }, 'never_paid'],
    ['paid, with an unknown status', { status: 'collected' }, 'paid'],
  ])('%s has its state', (_, changed, state) => {
    expect(periodStateOf({ ...PAID, ...changed })).toBe(state);
  });
});

describe('the funding of a period', () => {
  const none = { rail: 'card', balance_applied_coins: '0.00', card_charged_usd: '0.00', pcstore_charged_usd: '0.00' };
  it.each([
    [{ ...none, card_charged_usd: '20.00' }, 'card'],
    [{ ...none, card_charged_usd: '10.00', balance_applied_coins: '100.00' }, 'card and wallet'],
    [{ ...none, rail: 'pcstore', pcstore_charged_usd: '8.00' }, 'game store'],
    [{ ...none, balance_applied_coins: '200.00' }, 'wallet'],
    [none, 'wallet'],
    [{ ...none, card_charged_usd: null, balance_applied_coins: null }, null],
    [null, null],
  ])('%j is shown as %s', (funding, word) => {
    expect(formatFunding(funding, true)).toBe(word);
  });
  it('is null when the period was not paid', () => {
    expect(formatFunding(none, false)).toBeNull();
  });
});
