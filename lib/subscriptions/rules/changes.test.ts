import { describe, expect, test } from 'vitest';
import { sampleSubscription } from '#e2e/support/subscriptions/sample-subscription.ts';
import {
  type CancelAnswer,
  type CancelPreview,
  compareCancel,
  comparePrice,
  findCardBlocker,
  findPriceBlocker,
  maskCardNumbers,
  maskPersonal,
  type PriceAnswer,
  parseNewPrice,
  previewCancel,
  previewPrice,
  type RequestedChange,
  verifyChange,
} from './changes.ts';
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
    ['has access until the paid period ends', {}, DECEMBER],
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
    const answer = (end: string) =>
      canceled({ access_until: end, effective_at: end, paid_through: null, cancel_at_period_end: false, terminated_immediately: true });
    expect(unlike(atOnce, null, answer('2026-11-21T12:15:00Z'))).toEqual([]);
    expect(unlike(atOnce, null, answer('2026-11-21T12:15:01Z'))).toEqual([
      ['access_until', false],
      ['effective_at', false],
    ]);
    expect(unlike(atOnce, null, { ...answer(NOW), terminated_immediately: null })).toEqual([['terminated_immediately', false]]);
  });
});

const priced = (amount_usd: string, pending_amount_usd: string | null = null, funding_rail = 'card') =>
  sampleSubscription({ amount_usd, pending_amount_usd, funding_rail });

describe('a typed price', () => {
  test.each([
    ['12.50', '12.50'],
    [' 12.5 ', '12.50'],
    ['12', '12.00'],
    ['12.500', '12.50'],
    ['0.01', '0.01'],
    ['20', '20.00'],
    ['20.000', '20.00'],
    ['4,50', '4.50'],
    ['$5', '5.00'],
  ])('%j is parsed as %s', (text, amount_usd) => {
    expect(parseNewPrice(text, '20.00')).toEqual({ amount_usd });
  });

  test('that equals the current price has its digits', () => {
    expect(parseNewPrice('10.004', '10.0040')).toEqual({ amount_usd: '10.0040' });
  });

  test.each([
    ['', 'not_an_amount'],
    ['4,500', 'separators'],
    ['1e2', 'not_an_amount'],
    ['NaN', 'not_an_amount'],
    ['0', 'not_above_zero'],
    ['0.00', 'not_above_zero'],
    ['-5.00', 'not_above_zero'],
    ['4.505', 'not_whole_cents'],
    ['0.001', 'not_whole_cents'],
  ])('%j is refused as %s', (text, error) => {
    expect(parseNewPrice(text, '20.00')).toEqual({ error });
  });
});

describe('a new price', () => {
  test.each([
    ['20.00', '25.00', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['20.00', '40.00', '25.00', { kind: 'pending', applies: 'applies', replaces: '25.00' }],
    ['20.00', '40.01', null, { kind: 'pending', applies: 'may_not_apply', replaces: null }],
    ['300.00', '500.00', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['300.00', '500.01', null, { kind: 'pending', applies: 'may_not_apply', replaces: null }],
    ['600.00', '550.00', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['20.00', '0.01', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['20.00', '20.00', '25.00', { kind: 'clears', pending: '25.00' }],
    ['20.00', '20.00', null, { kind: 'nothing' }],
  ])('from %s to %s with %s pending is previewed', (current, requested, staged, preview) => {
    expect(previewPrice(priced(current, staged), requested)).toEqual(preview);
  });

  test('of a subscription that is set to end never applies', () => {
    const ending = { ...priced('20.00'), cancel_at_period_end: true };
    expect(previewPrice(ending, '10.00')).toEqual({ kind: 'pending', applies: 'never_renews', replaces: null });
  });

  test.each([
    ['15.01', { kind: 'refused' }],
    ['10.00', { kind: 'pending', applies: 'applies', replaces: null }],
    ['15.00', { kind: 'nothing' }],
  ])('of a store subscription from 15.00 to %s is previewed', (requested, preview) => {
    expect(previewPrice(priced('15.00', null, 'pcstore'), requested)).toEqual(preview);
  });
});

test('a price change is blocked after the end and when the current price is not reported', () => {
  expect(findPriceBlocker(sampleSubscription())).toBeNull();
  expect(findPriceBlocker(sampleSubscription({ status: 'expired' }))).toBe('ended');
  expect(findPriceBlocker(sampleSubscription({ status: 'canceled' }))).toBe('ended');
  expect(findPriceBlocker({ ...sampleSubscription(), amount_usd: null })).toBe('price_unknown');
});

describe('the receipt of a price change', () => {
  const requested = { current: '20.00', amount_usd: '25.00' };
  const notPending = [
    ['pending_amount_usd', false],
    ['change_queued', false],
  ];
  const staged: PriceAnswer = {
    old_amount_usd: '20.00',
    new_amount_usd: '25.0',
    pending_amount_usd: '25.00',
    change_queued: true,
    prorated: false,
  };
  const unlike = (answer: PriceAnswer, kind: 'pending' | 'clears' = 'pending') =>
    comparePrice(kind === 'pending' ? { kind, applies: 'applies', replaces: null } : { kind, pending: '25.00' }, requested, answer)
      .filter(({ agrees }) => agrees !== true)
      .map(({ field, agrees }) => [field, agrees]);

  test('matches when Invo reports what was previewed', () => {
    expect(unlike(staged)).toEqual([]);
    expect(unlike({ ...staged, pending_amount_usd: null, change_queued: false }, 'clears')).toEqual([]);
  });

  test.each<[Partial<PriceAnswer>, (string | boolean | null)[][]]>([
    [{ pending_amount_usd: '25.01' }, [['pending_amount_usd', false]]],
    [{ pending_amount_usd: null, change_queued: false }, notPending],
    [{ prorated: true }, [['prorated', false]]],
    [{ old_amount_usd: null }, [['old_amount_usd', null]]],
  ])('shows a difference for %j', (changed, lines) => {
    expect(unlike({ ...staged, ...changed })).toEqual(lines);
  });

  test('shows that a price is still pending after clearing', () => {
    expect(unlike(staged, 'clears')).toEqual(notPending);
  });
});

test.each([
  ['visa 4242424242424242', 'visa •••• 4242'],
  ['4242 4242-4242.4241 debit', '•••• 4241 debit'],
  ['12345678901', '12345678901'],
  ['on 2026-11-21 12:00:00', 'on 2026-11-21 12:00:00'],
])('masking card numbers in %j leaves the last four digits', (text, covered) => {
  expect(maskCardNumbers(text)).toBe(covered);
});

test('masking personal data also masks emails', () => {
  expect(maskPersonal('mira@players.example lost 4242 4242 4242 4242')).toMatch(/^m\S+@\S+ lost •••• 4242$/);
});

test.each([
  [{}, 2, null],
  [{}, 0, 'no_cards'],
  [{}, null, 'player_unknown'],
  [{ status: 'canceled' }, 2, 'ended'],
  [{ funding_rail: 'pcstore' }, null, 'pcstore'],
  [{ funding_rail: 'pcstore', status: 'expired' }, 2, 'pcstore'],
])('a card change of %j with %s cards is blocked by %s', (changed, cards, blocker) => {
  expect(findCardBlocker(sampleSubscription(changed), cards)).toBe(blocker);
});

test.each([
  ['Asked by mira.holt@players.example twice', 'Asked by m•••@p•••.example twice'],
  ['card 4242 4242 4242 4242 was lost', 'card •••• 4242 was lost'],
  ['card 4242424242424242', 'card •••• 4242'],
  ['SUB_1733392800_DESKMIRA is too expensive', 'SUB_1733392800_DESKMIRA is too expensive'],
])('%j is stored as %j', (text, masked) => {
  expect(maskPersonal(text)).toBe(masked);
});

const AT_END: RequestedChange = { what: 'cancel', when: 'period_end' };
const IMMEDIATELY: RequestedChange = { what: 'cancel', when: 'now' };
const RAISE: RequestedChange = { what: 'price', amount_usd: '25.00', isClearing: false };
const CLEAR: RequestedChange = { what: 'price', amount_usd: '20.00', isClearing: true };
const CARD: RequestedChange = { what: 'card', isConversion: false };
const CONVERT: RequestedChange = { what: 'card', isConversion: true };

test.each<[RequestedChange, Partial<SubscriptionFacts>, string]>([
  [AT_END, { cancel_at_period_end: true }, 'there'],
  [AT_END, { status: 'canceled' }, 'there'],
  [AT_END, {}, 'not_there'],
  [IMMEDIATELY, { cancel_at_period_end: true }, 'not_there'],
  [IMMEDIATELY, { status: 'canceled' }, 'there'],
  [RAISE, { pending_amount_usd: '25.0' }, 'there'],
  [RAISE, { amount_usd: '25.00' }, 'there'],
  [RAISE, { pending_amount_usd: '24.00' }, 'not_there'],
  [RAISE, {}, 'not_there'],
  [CLEAR, {}, 'there'],
  [CLEAR, { pending_amount_usd: '25.00' }, 'not_there'],
  [CARD, {}, 'cannot_tell'],
  [CONVERT, { wallet_only: false }, 'there'],
  [CONVERT, { wallet_only: true }, 'not_there'],
])('the change %j, read back as %j, is %s', (requested, facts, verdict) => {
  expect(verifyChange(requested, sampleSubscription(facts))).toBe(verdict);
});
