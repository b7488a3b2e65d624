import { describe, expect, it } from 'vitest';
import { formatFunding, PERIOD_STATE_TEXT, PERIOD_STATES, type PeriodState, periodStateOf } from './period-state.ts';

const PAID = { status: 'paid', paid_at: '2026-10-01T00:00:00Z', amount_usd: '50.00', refunded_amount_usd: '0.00' };

describe('a cycle', () => {
  it.each<[string, Partial<typeof PAID> | { paid_at: null; refunded_amount_usd: null }, PeriodState]>([
    ['paid and kept', {}, 'paid'],
    ['whose refunds are not recorded', { refunded_amount_usd: null as never }, 'paid'],
    ['partly refunded, which Invo still calls paid', { refunded_amount_usd: '15.00' }, 'partly_refunded'],
    ['refunded by a word', { status: 'refunded', refunded_amount_usd: '50.00' }, 'refunded'],
    ['refunded by a word alone', { status: 'refunded', refunded_amount_usd: null as never }, 'refunded'],
    ['refunded by its figures', { refunded_amount_usd: '50.0' }, 'refunded'],
    ['refunded of a price not recorded', { amount_usd: null as never, refunded_amount_usd: '5.00' }, 'partly_refunded'],
    ['pending', { status: 'pending', paid_at: null as never }, 'pending'],
    ['failed', { status: 'failed', paid_at: null as never }, 'failed'],
    ['forgiven', { status: 'forgiven', paid_at: null as never }, 'forgiven'],
    ['never paid in a word of later', { status: 'waived', paid_at: null as never }, 'never_paid'],
    ['paid in a word of later', { status: 'collected' }, 'paid'],
  ])('%s', (_, changed, state) => {
    expect(periodStateOf({ ...PAID, ...changed })).toBe(state);
  });

  it('has words for every state, and no two the same', () => {
    expect(new Set(PERIOD_STATES.map((state) => PERIOD_STATE_TEXT[state].label)).size).toBe(PERIOD_STATES.length);
  });
});

describe('what paid for it', () => {
  const none = { rail: 'card', balance_applied_coins: '0.00', card_charged_usd: '0.00', pcstore_charged_usd: '0.00' };
  it.each([
    [{ ...none, card_charged_usd: '20.00' }, 'card'],
    [{ ...none, card_charged_usd: '10.00', balance_applied_coins: '100.00' }, 'card and wallet'],
    [{ ...none, rail: 'pcstore', pcstore_charged_usd: '8.00' }, 'game store'],
    [{ ...none, balance_applied_coins: '200.00' }, 'wallet'],
    [none, 'wallet'],
    [{ ...none, card_charged_usd: null, balance_applied_coins: null }, null],
    [null, null],
  ])('%j is %s', (funding, word) => {
    expect(formatFunding(funding, true)).toBe(word);
  });
  it('is nothing when it was never paid', () => {
    expect(formatFunding(none, false)).toBeNull();
  });
});
