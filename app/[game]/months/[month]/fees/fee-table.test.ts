import { expect, test } from 'vitest';
import type { DetailFigures } from '#lib/fees/rules/detail-figures.ts';
import { feeRows } from './fee-table.tsx';

const FIGURES: DetailFigures = {
  version: 1,
  cardPeriods: { count: 420, read: 412 },
  unnamed: 4,
  pass_through: { amount_usd: '0.75', unrecorded: 0 },
  chargeback: { amount_usd: '0.00', unrecorded: 412 },
  held: { amount_usd: '0.00', unrecorded: 0 },
  refunded: { count: 31, read: 31 },
  unlistedRefunds: 0,
  card_fee: { amount_usd: '6.30', unrecorded: 2, undated: 1 },
  subscriptions: { count: 400, read: 400 },
  lifetime: { matching: 400, differing: 0, notComparable: 0, differences: [] },
};
const TOTALS = { partner_revenue_usd: '100.00', reversals_without_receipts: 0 };
const rows = (changed: Partial<DetailFigures> = {}) =>
  feeRows({ ...FIGURES, ...changed }, TOTALS).map(({ label, amount, basis }) => [label, 'usd' in amount ? amount.usd : amount.text, basis]);

test('each fee states the periods it was read for, and what it lacks', () => {
  expect(rows()).toEqual([
    ['Partner revenue, net of reversals', '100.00', 'Invo’s total of the month'],
    ['International card fee', '-0.75', 'Read for 412 of 420 card periods, 8 not read'],
    ['Chargeback fees', 'not recorded', 'Read for 412 of 420 card periods, 8 not read, not recorded for 412'],
    ['Held for disputes', '0.00', 'Read for 412 of 420 card periods, 8 not read'],
    ['Card fee on refunds', '-6.30', 'Read for 31 of 31 refunded periods, not recorded for 2, 1 refunded in several months not added'],
    ['Partner revenue after fees', 'not available', '3 reasons below'],
  ]);
});

test('a fee of periods that weren’t read is not read, and without periods there is none', () => {
  expect(rows({ cardPeriods: { count: 3, read: 0 }, refunded: { count: 0, read: 0 } }).map(([, amount]) => amount)).toEqual([
    '100.00',
    'not read',
    'not read',
    'not read',
    'none',
    'not available',
  ]);
});

test('revenue after fees is stated when every period is read and every fee recorded', () => {
  const whole = {
    cardPeriods: { count: 2, read: 2 },
    chargeback: { amount_usd: '15.00', unrecorded: 0 },
    card_fee: { amount_usd: '6.30', unrecorded: 0, undated: 0 },
  };
  expect(rows(whole).at(-1)).toEqual(['Partner revenue after fees', '77.95', 'Every period is read']);
});
