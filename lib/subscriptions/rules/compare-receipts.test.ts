import { describe, expect, test } from 'vitest';
import { type CancelAnswer, compareCancel } from './compare-cancel.ts';
import { comparePrice, type PriceAnswer } from './compare-price.ts';
import type { CancelForecast } from './foresee-cancel.ts';

const NOW = '2026-11-21T12:00:00Z';
const DECEMBER = '2026-12-01T00:00:00Z';
const LATER: CancelForecast = { kind: 'at_paid_through', accessUntil: DECEMBER, isAlreadySo: false };

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
    forecast: typeof LATER | Extract<CancelForecast, { kind: 'at_once' }>,
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

describe('the receipt of a price', () => {
  const asked = { current: '20.00', amount_usd: '25.00' };
  const staged: PriceAnswer = {
    old_amount_usd: '20.00',
    new_amount_usd: '25.0',
    pending_amount_usd: '25.00',
    change_queued: true,
    prorated: false,
  };
  const unlike = (answer: PriceAnswer, kind: 'stages' | 'clears' = 'stages') =>
    comparePrice(kind === 'stages' ? { kind, applies: 'applies', replaces: null } : { kind, staged: '25.00' }, asked, answer)
      .filter(({ agrees }) => agrees !== true)
      .map(({ field, agrees }) => [field, agrees]);

  test('is as expected when Invo says what was foreseen', () => {
    expect(unlike(staged)).toEqual([]);
    expect(unlike({ ...staged, pending_amount_usd: null, change_queued: false }, 'clears')).toEqual([]);
  });

  test.each<[Partial<PriceAnswer>, (string | boolean | null)[][]]>([
    [{ pending_amount_usd: '25.01' }, [['pending_amount_usd', false]]],
    [
      { pending_amount_usd: null, change_queued: false },
      [
        ['pending_amount_usd', false],
        ['change_queued', false],
      ],
    ],
    [{ prorated: true }, [['prorated', false]]],
    [{ old_amount_usd: null }, [['old_amount_usd', null]]],
  ])('with %j shows it', (changed, lines) => {
    expect(unlike({ ...staged, ...changed })).toEqual(lines);
  });

  test('of clearing shows that a price is still staged', () => {
    expect(unlike(staged, 'clears')).toEqual([
      ['pending_amount_usd', false],
      ['change_queued', false],
    ]);
  });
});
