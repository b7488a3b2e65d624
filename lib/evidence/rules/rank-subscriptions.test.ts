import { describe, expect, test } from 'vitest';
import { type DatedLine, rankSubscriptions } from './rank-subscriptions.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const INSTANT = { start: '2026-10-17T09:30:00.123Z', end: '2026-10-17T09:30:00.124Z' };

describe('a renewal hidden at an instant', () => {
  test('a subscription known to have settled or been refunded there comes first', () => {
    const lines = [
      monthly('due', 3, '2026-09-17T09:30:00Z'),
      monthly('stored', 2, '2026-10-17T09:30:00.123Z'),
      { ...monthly('reversed', 2, '2026-10-17T09:30:00.123Z'), period_start: null, period_end: null },
    ];
    expect(rank(lines)).toEqual(['stored certain', 'reversed certain', 'due due']);
  });

  test('a subscription is due when a charge of its own term falls near the instant', () => {
    const lines = [
      monthly('far', 3, '2026-09-02T00:00:00Z'),
      { ...monthly('yearly', 1, '2025-10-17T09:30:00Z'), period_end: '2026-10-17T09:30:00Z' },
      monthly('after', 4, '2026-11-17T09:30:00Z'),
      { ...monthly('half-yearly', 1, '2026-04-16T00:00:00Z'), period_end: '2026-10-16T00:00:00Z' },
      { ...monthly('no period', 2, '2026-09-17T00:00:00Z'), period_start: null, period_end: null },
    ];
    expect(rank(lines)).toEqual(['yearly due', 'no period due', 'after due', 'half-yearly due', 'far possible']);
  });

  test('a subscription that settled elsewhere in the slice, or has no period left for the instant, is unlikely', () => {
    const lines = [
      monthly('elsewhere', 3, '2026-10-05T00:00:00Z'),
      monthly('began after', 1, '2026-11-17T09:30:00Z'),
      monthly('continued', 4, '2026-09-17T09:30:00Z'),
      monthly('continued', 5, '2026-11-17T09:30:00Z'),
      monthly('gap', 4, '2026-09-17T09:30:00Z'),
      monthly('gap', 6, '2026-11-17T09:30:00Z'),
    ];
    const ranked = rank(lines);
    expect(ranked[0]).toBe('gap due');
    expect(ranked.slice(1).toSorted()).toEqual(['began after unlikely', 'continued unlikely', 'elsewhere unlikely']);
  });
});

describe('a reversal hidden at an instant', () => {
  test('comes from a subscription refunded there, else from one paid shortly before', () => {
    const lines = [
      monthly('later', 1, '2026-10-18T00:00:00Z'),
      monthly('long ago', 1, '2026-08-01T00:00:00Z'),
      monthly('just before', 1, '2026-10-16T00:00:00Z'),
      { ...monthly('refunded', 1, '2026-07-01T00:00:00Z'), refunded_at: ['2026-10-17T09:30:00.123Z'] },
    ];
    const ranked = rankSubscriptions(OCTOBER, INSTANT, ['reversals'], lines).map((each) => `${each.subscriptionId} ${each.likelihood}`);
    expect(ranked).toEqual(['refunded certain', 'just before possible', 'long ago possible', 'later unlikely']);
  });
});

function rank(lines: DatedLine[]): string[] {
  return rankSubscriptions(OCTOBER, INSTANT, ['renewals'], lines).map((each) => `${each.subscriptionId} ${each.likelihood}`);
}

function monthly(subscription_id: string, period_seq: number, paid_at: string): DatedLine {
  const end = new Date(Date.parse(paid_at));
  end.setUTCMonth(end.getUTCMonth() + 1);
  return { subscription_id, period_seq, paid_at, period_start: paid_at, period_end: end.toISOString(), refunded_at: [] };
}
