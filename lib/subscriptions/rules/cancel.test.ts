import { describe, expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { type CancelAnswer, type CancelPreview, compareCancel, previewCancel } from './cancel.ts';
import type { SubscriptionFacts } from './subscription.ts';

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
    expect(previewCancel(sampleSubscription(facts), 'period_end', NOW)).toEqual(forecast);
  });
});

describe('a cancel now', () => {
  test.each<[string, Partial<SubscriptionFacts>, string]>([
    ['leaves access as long as what is paid', {}, DECEMBER],
    ['ends access with nothing paid', { paid_through: null }, NOW],
    ['ends access now, not in the past', { paid_through: '2026-10-18T08:00:00Z' }, NOW],
    ['is not what was set before', { cancel_at_period_end: true }, DECEMBER],
  ])('%s', (_, facts, accessUntil) => {
    expect(previewCancel(sampleSubscription(facts), 'now', NOW)).toEqual({ kind: 'at_once', why: 'asked', accessUntil });
  });
});

test.each(['canceled', 'expired'])('what is %s has ended, whatever is asked for', (status) => {
  for (const when of ['period_end', 'now'] as const)
    expect(previewCancel(sampleSubscription({ status }), when, NOW)).toEqual({ kind: 'already_ended', finalStatus: status });
});

test('a status this book does not know is no end', () => {
  expect(previewCancel(sampleSubscription({ status: 'on_hold' }), 'period_end', NOW).kind).toBe('at_paid_through');
  expect(previewCancel(sampleSubscription({ status: null }), 'now', NOW).kind).toBe('at_once');
});

const LATER: CancelPreview = { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: false };

const canceled = (changed: Partial<CancelAnswer> = {}): CancelAnswer => ({
  already_canceled: false,
  cancel_at_period_end: true,
  effective_at: '2026-12-01T00:00:00.000Z',
  access_until: '2026-12-01T00:00:00.000Z',
  paid_through: '2026-12-01T00:00:00.000Z',
  terminated_immediately: null,
  ...changed,
});

describe('the receipt of a cancel', () => {
  const unlike = (
    forecast: typeof LATER | Extract<CancelPreview, { kind: 'at_once' }>,
    paid_through: string | null,
    answer: CancelAnswer,
  ) =>
    compareCancel(forecast as never, { paid_through }, answer, NOW)
      .filter(({ agrees }) => agrees !== true)
      .map(({ field, agrees }) => [field, agrees]);

  test('is as expected when Invo says what was foreseen, in whatever fraction', () => {
    expect(unlike(LATER, DECEMBER, canceled())).toEqual([]);
  });

  test.each<[Partial<CancelAnswer>, (string | boolean | null)[][]]>([
    [{ access_until: '2026-12-02T00:00:00Z' }, [['access_until', false]]],
    [{ access_until: null }, [['access_until', null]]],
    [
      { cancel_at_period_end: false, terminated_immediately: true },
      [
        ['cancel_at_period_end', false],
        ['terminated_immediately', false],
      ],
    ],
    [{ effective_at: NOW }, [['effective_at', false]]],
    [{ paid_through: null }, [['paid_through', null]]],
  ])('with %j shows it', (changed, lines) => {
    expect(unlike(LATER, DECEMBER, canceled(changed))).toEqual(lines);
  });

  test('of one that ends at once allows a quarter of an hour between two clocks, and no more', () => {
    const atOnce = { kind: 'at_once', why: 'nothing_paid', accessUntil: NOW } as const;
    const answer = (at: string) =>
      canceled({ access_until: at, effective_at: at, paid_through: null, cancel_at_period_end: false, terminated_immediately: true });
    expect(unlike(atOnce, null, answer('2026-11-21T12:15:00Z'))).toEqual([]);
    expect(unlike(atOnce, null, answer('2026-11-21T12:15:01Z'))).toEqual([
      ['access_until', false],
      ['effective_at', false],
    ]);
    expect(unlike(atOnce, null, { ...answer(NOW), terminated_immediately: null })).toEqual([['terminated_immediately', false]]);
  });
});
