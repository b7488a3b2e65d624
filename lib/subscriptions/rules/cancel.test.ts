import { describe, expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { type CancelAnswer, type CancelPreview, compareCancel, previewCancel } from './cancel.ts';
import type { SubscriptionFacts } from './subscription.ts';

const NOW = '2026-11-21T12:00:00Z';
const DECEMBER = '2026-12-01T00:00:00Z';
describe('canceling at the end of the paid period', () => {
  test.each<[string, Partial<SubscriptionFacts>, object]>([
    ['ends with the paid period', {}, { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySet: false }],
    [
      'ends with the paid period while a payment is retried',
      { status: 'retrying' },
      { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySet: false },
    ],
    [
      'changes nothing when already set to end',
      { cancel_at_period_end: true },
      { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySet: true },
    ],
    ['ends immediately when nothing is paid', { paid_through: null }, { kind: 'at_once', why: 'nothing_paid', accessUntil: NOW }],
    [
      'ends immediately when the paid period is over',
      { paid_through: '2026-11-21T11:59:59.999Z' },
      { kind: 'at_once', why: 'paid_elapsed', accessUntil: NOW },
    ],
    [
      'ends immediately at the instant the paid period ends',
      { paid_through: NOW },
      { kind: 'at_once', why: 'paid_elapsed', accessUntil: NOW },
    ],
    [
      'follows the paid period, not the billing period',
      { current_period_end: '2027-06-01T00:00:00Z' },
      { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySet: false },
    ],
  ])('%s', (_, facts, preview) => {
    expect(previewCancel(sampleSubscription(facts), 'period_end', NOW)).toEqual(preview);
  });
});

describe('canceling now', () => {
  test.each<[string, Partial<SubscriptionFacts>, string]>([
    ['keeps access until the paid period ends', {}, DECEMBER],
    ['ends access when nothing is paid', { paid_through: null }, NOW],
    ['ends access now, not in the past', { paid_through: '2026-10-18T08:00:00Z' }, NOW],
    ['differs from an end that is already set', { cancel_at_period_end: true }, DECEMBER],
  ])('%s', (_, facts, accessUntil) => {
    expect(previewCancel(sampleSubscription(facts), 'now', NOW)).toEqual({ kind: 'at_once', why: 'requested', accessUntil });
  });
});

test.each(['canceled', 'expired'])('a subscription that is %s has already ended', (status) => {
  for (const when of ['period_end', 'now'] as const)
    expect(previewCancel(sampleSubscription({ status }), when, NOW)).toEqual({ kind: 'already_ended', finalStatus: status });
});

test('an unknown status is not an end', () => {
  expect(previewCancel(sampleSubscription({ status: 'on_hold' }), 'period_end', NOW).kind).toBe('at_paid_through');
  expect(previewCancel(sampleSubscription({ status: null }), 'now', NOW).kind).toBe('at_once');
});

const LATER: CancelPreview = { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySet: false };

const canceled = (changed: Partial<CancelAnswer> = {}): CancelAnswer => ({
  already_canceled: false,
  cancel_at_period_end: true,
  effective_at: '2026-12-01T00:00:00.000Z',
  access_until: '2026-12-01T00:00:00.000Z',
  paid_through: '2026-12-01T00:00:00.000Z',
  terminated_immediately: null,
  ...changed,
});

describe('the receipt of a cancellation', () => {
  const unlike = (preview: typeof LATER | Extract<CancelPreview, { kind: 'at_once' }>, paid_through: string | null, answer: CancelAnswer) =>
    compareCancel(preview as never, { paid_through }, answer, NOW)
      .filter(({ agrees }) => agrees !== true)
      .map(({ field, agrees }) => [field, agrees]);

  test('matches when Invo reports what was previewed, with any fraction of a second', () => {
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
  ])('shows a difference for %j', (changed, lines) => {
    expect(unlike(LATER, DECEMBER, canceled(changed))).toEqual(lines);
  });

  test('allows two clocks to differ by a quarter of an hour and no more when a subscription ends immediately', () => {
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
