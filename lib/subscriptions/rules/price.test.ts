import { describe, expect, test } from 'vitest';
import { sampleSubscription } from '../testing/sample-subscription.ts';
import { comparePrice, findPriceBlocker, type PriceAnswer, parseNewPrice, previewPrice } from './price.ts';

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

  test('that equals the current price keeps its digits', () => {
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
    ['20.00', '40.01', null, { kind: 'pending', applies: 'never_doubled', replaces: null }],
    ['300.00', '500.00', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['300.00', '500.01', null, { kind: 'pending', applies: 'never_above_limit', replaces: null }],
    ['600.00', '550.00', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['20.00', '0.01', null, { kind: 'pending', applies: 'applies', replaces: null }],
    ['20.00', '20.00', '25.00', { kind: 'clears', pending: '25.00' }],
    ['20.00', '20.00', null, { kind: 'nothing' }],
  ])('from %s to %s with %s pending is previewed', (current, asked, staged, preview) => {
    expect(previewPrice(priced(current, staged), asked)).toEqual(preview);
  });

  test('of a subscription that is set to end never applies', () => {
    const ending = { ...priced('20.00'), cancel_at_period_end: true };
    expect(previewPrice(ending, '10.00')).toEqual({ kind: 'pending', applies: 'never_renews', replaces: null });
  });

  test.each([
    ['15.01', { kind: 'refused' }],
    ['10.00', { kind: 'pending', applies: 'applies', replaces: null }],
    ['15.00', { kind: 'nothing' }],
  ])('of a store subscription from 15.00 to %s is previewed', (asked, preview) => {
    expect(previewPrice(priced('15.00', null, 'pcstore'), asked)).toEqual(preview);
  });
});

test('a price change is blocked after the end and when the current price is not reported', () => {
  expect(findPriceBlocker(sampleSubscription())).toBeNull();
  expect(findPriceBlocker(sampleSubscription({ status: 'expired' }))).toBe('ended');
  expect(findPriceBlocker(sampleSubscription({ status: 'canceled' }))).toBe('ended');
  expect(findPriceBlocker({ ...sampleSubscription(), amount_usd: null })).toBe('price_unknown');
});

describe('the receipt of a price change', () => {
  const asked = { current: '20.00', amount_usd: '25.00' };
  const staged: PriceAnswer = {
    old_amount_usd: '20.00',
    new_amount_usd: '25.0',
    pending_amount_usd: '25.00',
    change_queued: true,
    prorated: false,
  };
  const unlike = (answer: PriceAnswer, kind: 'pending' | 'clears' = 'pending') =>
    comparePrice(kind === 'pending' ? { kind, applies: 'applies', replaces: null } : { kind, pending: '25.00' }, asked, answer)
      .filter(({ agrees }) => agrees !== true)
      .map(({ field, agrees }) => [field, agrees]);

  test('matches when Invo reports what was previewed', () => {
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
  ])('shows a difference for %j', (changed, lines) => {
    expect(unlike({ ...staged, ...changed })).toEqual(lines);
  });

  test('shows that a price is still pending after clearing', () => {
    expect(unlike(staged, 'clears')).toEqual([
      ['pending_amount_usd', false],
      ['change_queued', false],
    ]);
  });
});
