import { describe, expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { foreseeCancel } from './foresee-cancel.ts';
import type { SubscriptionFacts } from './subscription-facts.ts';

const NOW = '2026-11-21T12:00:00Z';
const DECEMBER = '2026-12-01T00:00:00Z';

describe('a cancel at the end of what is paid', () => {
  test.each<[string, Partial<SubscriptionFacts>, object]>([
    ['ends with what is paid', {}, { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: false }],
    ['of a failed charge too', { status: 'retrying' }, { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: false }],
    ['set before changes nothing', { cancel_at_period_end: true }, { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: true }],
    ['ends at once with nothing paid', { paid_through: null }, { kind: 'at_once', why: 'nothing_paid', accessUntil: NOW }],
    [
      'ends at once when what was paid has run out',
      { paid_through: '2026-11-21T11:59:59.999Z' },
      { kind: 'at_once', why: 'paid_elapsed', accessUntil: NOW },
    ],
    ['ends at once in the very instant it runs out', { paid_through: NOW }, { kind: 'at_once', why: 'paid_elapsed', accessUntil: NOW }],
    [
      'goes by what is paid, not by the billing window',
      { current_period_end: '2027-06-01T00:00:00Z' },
      { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: false },
    ],
  ])('%s', (_, facts, forecast) => {
    expect(foreseeCancel(sampleSubscription(facts), 'period_end', NOW)).toEqual(forecast);
  });
});

describe('a cancel now', () => {
  test.each<[string, Partial<SubscriptionFacts>, string]>([
    ['leaves access as long as what is paid', {}, DECEMBER],
    ['ends access with nothing paid', { paid_through: null }, NOW],
    ['ends access now, not in the past', { paid_through: '2026-10-18T08:00:00Z' }, NOW],
    ['is not what was set before', { cancel_at_period_end: true }, DECEMBER],
  ])('%s', (_, facts, accessUntil) => {
    expect(foreseeCancel(sampleSubscription(facts), 'now', NOW)).toEqual({ kind: 'at_once', why: 'asked', accessUntil });
  });
});

test.each(['canceled', 'expired'])('what is %s has ended, whatever is asked for', (status) => {
  for (const when of ['period_end', 'now'] as const)
    expect(foreseeCancel(sampleSubscription({ status }), when, NOW)).toEqual({ kind: 'already_ended', finalStatus: status });
});

test('a status this book does not know is no end', () => {
  expect(foreseeCancel(sampleSubscription({ status: 'on_hold' }), 'period_end', NOW).kind).toBe('at_paid_through');
  expect(foreseeCancel(sampleSubscription({ status: null }), 'now', NOW).kind).toBe('at_once');
});
