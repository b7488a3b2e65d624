import { expect, test } from 'vitest';
import { samplePeriod } from '../testing/sample-refund.ts';
import { findRefundBlocker, needsSecondApprover, parseRefundAmount } from './limits.ts';
import type { PeriodFacts } from './period.ts';

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

test.each([
  ['support', '50.00', false],
  ['support', '50.01', true],
  ['finance', '500', false],
  ['finance', '500.01', true],
  ['admin', '500.00', false],
  ['viewer', '0.01', true],
] as const)('%s refunding %s USD needs a second approver: %s', (role, amount, wanted) => {
  expect(needsSecondApprover(role, amount)).toBe(wanted);
});

test('an admin can set another limit, including zero', () => {
  expect(needsSecondApprover('support', '0.01', { support: '0.00' })).toBe(true);
  expect(needsSecondApprover('support', '900.00', { support: '1000.00' })).toBe(false);
});
