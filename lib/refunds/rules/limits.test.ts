import { expect, test } from 'vitest';
import { samplePeriod } from '#e2e/support/refunds/sample-refund.ts';
import { LIMIT_NAMES, limitNamed, overLimitOf } from '#lib/approvals/rules/approval.ts';
import { findRefundBlocker, limitedAmountsOf, parseRefundAmount } from './limits.ts';
import type { PeriodFacts } from './stored.ts';

test.each<[string | null, Partial<PeriodFacts>]>([
  [null, {}],
  [null, { refunded_to_date_usd: '19.99' }],
  [null, { rail: 'pcstore', pcstore_charged_usd: '0.00', card_charged_usd: null, balance_applied_coins: '200.00' }],
  [null, { status: 'a status of tomorrow' }],
  ['never_collected', { paid_at: null, status: 'pending' }],
  ['never_collected', { paid_at: null, status: null, amount_usd: null }],
  ['never_collected', { status: 'failed' }],
  ['never_collected', { status: 'forgiven' }],
  ['already_refunded', { refunded_to_date_usd: '20.00', status: 'refunded' }],
  ['already_refunded', { refunded_to_date_usd: '20.00' }],
  ['already_refunded', { status: 'refunded' }],
  ['store_charged', { rail: 'pcstore', pcstore_charged_usd: '20.00' }],
  ['number_unknown', { period_seq: null }],
  ['funding_unknown', { rail: 'pcstore', pcstore_charged_usd: null }],
  ['funding_unknown', { rail: null, pcstore_charged_usd: null }],
  ['funding_unknown', { rail: 'mobile', pcstore_charged_usd: null }],
  ['nothing_charged', { amount_usd: '0.00' }],
  ['nothing_charged', { amount_usd: '-20.00' }],
  ['refunds_unknown', { refunds_told: false }],
  ['refunds_unknown', { refunded_to_date_usd: '-50.00' }],
  ['price_unknown', { amount_usd: null }],
])('the blocker is %s for %j', (blocker, changed) => {
  expect(findRefundBlocker(samplePeriod(changed))).toBe(blocker);
});

const PARTLY = samplePeriod({ refunded_to_date_usd: '5.005' });
test.each([
  ['5', { amount_usd: '5.00' }],
  ['  $ 5.5 ', { amount_usd: '5.50' }],
  ['5,50', { amount_usd: '5.50' }],
  ['007.10', { amount_usd: '7.10' }],
  ['5.500', { amount_usd: '5.50' }],
  ['14.995', { amount_usd: '14.995' }],
  ['14.9950', { amount_usd: '14.995' }],
  ['14.994', { error: 'not_whole_cents' }],
  ['15', { error: 'more_than_left' }],
  ['999999999999', { error: 'more_than_left' }],
  ['0', { error: 'not_above_zero' }],
  ['0.00', { error: 'not_above_zero' }],
  ['-1', { error: 'not_above_zero' }],
  ['1e1', { error: 'not_an_amount' }],
  ['1,000.00', { error: 'more_than_left' }],
  ['1,000', { error: 'separators' }],
  ['', { error: 'not_an_amount' }],
  ['all', { error: 'not_an_amount' }],
  ['١', { error: 'not_an_amount' }],
])('%j typed with 14.995 remaining is %j', (text, read) => {
  expect(parseRefundAmount(text, PARTLY)).toEqual(read);
});

function estimateOf(amount: string, card: string | null = '0.00') {
  return { refunded_amount_usd: amount, total_refunded_amount_usd: amount, card_refunded_usd: card };
}

test.each([
  [['support'], '50.00', null],
  [['support'], '50.01', 'one'],
  [['finance'], '500', null],
  [['finance'], '500.01', 'one'],
  [['support', 'finance'], '500.00', null],
  [['admin'], '0.01', 'one'],
  [['admin', 'finance'], '500.00', null],
  [['viewer'], '0.01', 'one'],
] as const)('%j refunding %s USD is over the limit: %s', (roles, amount, over) => {
  expect(overLimitOf('refunds', roles, limitedAmountsOf(estimateOf(amount)), { limits: {}, dayBefore: '0' })).toBe(over);
});

test('a limit can be set, including zero', () => {
  expect(overLimitOf('refunds', ['support'], limitedAmountsOf(estimateOf('0.01')), { limits: { support: '0.00' }, dayBefore: '0' })).toBe(
    'one',
  );
  expect(
    overLimitOf('refunds', ['support'], limitedAmountsOf(estimateOf('900.00')), { limits: { support: '1000.00' }, dayBefore: '0' }),
  ).toBeNull();
});

test.each([
  ['450.00', '50.00', {}, null],
  ['450.01', '50.00', {}, 'day'],
  ['0', '5.01', { support_day: '5.00' }, 'day'],
  ['980.00', '20.00', { support: '100.00' }, null],
  ['980.01', '20.00', { support: '100.00' }, 'day'],
] as const)('after %s USD within 24 hours, %s more with the limits %j is over the limit: %s', (dayBefore, amount, limits, over) => {
  expect(overLimitOf('refunds', ['support'], limitedAmountsOf(estimateOf(amount)), { limits, dayBefore })).toBe(over);
});

test('what goes back to the card counts where it is more than the amount', () => {
  expect(overLimitOf('refunds', ['support'], limitedAmountsOf(estimateOf('4.00', '60.00')), { limits: {}, dayBefore: '0' })).toBe('one');
  expect(overLimitOf('refunds', ['support'], limitedAmountsOf(estimateOf('4.00', '40.00')), { limits: {}, dayBefore: '470.00' })).toBe(
    'day',
  );
});

test('the limit of a day is ten times that of a refund until it is set', () => {
  expect(LIMIT_NAMES.map((name) => limitNamed('refunds', name, { support: '20.00', finance_day: '7.00' }))).toEqual([
    '20.00',
    '500.00',
    '200.00',
    '7.00',
  ]);
});
