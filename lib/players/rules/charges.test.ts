import { expect, test } from 'vitest';
import {
  type Charge,
  type ChargeSources,
  chooseSubscriptions,
  composeCharges,
  countUncompared,
  type ReadPurchase,
  type ReportedPeriod,
} from './charges.ts';

const NOTHING: ChargeSources = { periods: [], unreadPeriods: [], purchases: [], named: [] };

const period = (period_id: number, more: Partial<ReportedPeriod> = {}): ReportedPeriod => ({
  period_id,
  subscription_id: 'SUB_1_A',
  period_seq: period_id,
  period_start: null,
  item_name: 'Season pass',
  status: 'paid',
  paid_at: '2026-11-14T09:30:00Z',
  amount_usd: '20.00',
  funding: null,
  refund: { refunded_amount_usd: '0.00' },
  mint_order_id: null,
  ...more,
});

const purchase = (orderId: string, more: Partial<ReadPurchase> = {}): ReadPurchase => ({
  orderId,
  status: 'completed',
  amount: { field: 'usd_amount', amount: '20.00' },
  createdAt: '2026-11-14T20:00:00Z',
  ...more,
});

const compose = (sources: Partial<ChargeSources>) => composeCharges({ ...NOTHING, ...sources });
const nameOf = (charge: Charge): string => {
  switch (charge.kind) {
    case 'period':
      return `period ${charge.period.period_id}`;
    case 'unread_period':
      return `unread period ${charge.unread.periodId}`;
    case 'purchase':
      return charge.purchase.orderId;
    case 'unread_order':
      return `unread ${charge.orderId}`;
  }
};
const named = (groups: ReturnType<typeof compose>) => groups.map(({ likeness, charges }) => [likeness, ...charges.map(nameOf)]);

test('charges are newest first, and those without a time last', () => {
  const groups = compose({
    periods: [period(1, { paid_at: '2026-09-14T09:30:00Z' }), period(2)],
    purchases: [purchase('ORD_1', { createdAt: null }), purchase('ORD_2', { createdAt: '2026-10-01T00:00:00Z', amount: null })],
  });
  expect(named(groups)).toEqual([
    [null, 'period 2'],
    [null, 'ORD_2'],
    [null, 'period 1'],
    [null, 'ORD_1'],
  ]);
});

test('charges of the same amount within 24 hours are next to each other, whatever they were for, and however the amount is written', () => {
  const between = period(2, { paid_at: '2026-11-14T12:00:00Z', amount_usd: '5.00' });
  const groups = compose({
    periods: [period(1), between],
    purchases: [purchase('ORD_1', { amount: { field: 'amount_usd', amount: '20.0000' } })],
  });
  expect(named(groups)).toEqual([
    ['same_amount', 'ORD_1', 'period 1'],
    [null, 'period 2'],
  ]);
});

test('charges of one amount are next to each other within 24 hours, on both sides of midnight in every zone, and a daily renewal is like no other', () => {
  const late = period(1, { paid_at: '2026-11-14T23:30:00Z' });
  const within = period(2, { paid_at: '2026-11-15T23:29:59.999Z' });
  expect(named(compose({ periods: [late, within] }))).toEqual([['same_amount', 'period 2', 'period 1']]);
  expect(compose({ periods: [late, { ...within, paid_at: '2026-11-15T23:30:00Z' }] })).toHaveLength(2);
});

test('charges of which each is within 24 hours of the next are one group, and one before them is not', () => {
  const days = ['2026-11-16T08:00:00Z', '2026-11-10T08:00:00Z', '2026-11-15T09:00:00Z', '2026-11-17T07:00:00Z'];
  expect(named(compose({ periods: days.map((paid_at, index) => period(index + 1, { paid_at })) }))).toEqual([
    ['same_amount', 'period 4', 'period 1', 'period 3'],
    [null, 'period 2'],
  ]);
});

test('two charges for one period of a subscription are next to each other, by number or by start, weeks apart', () => {
  const again = { period_seq: 3, amount_usd: '25.00', paid_at: '2026-10-20T00:00:00Z' };
  expect(named(compose({ periods: [period(1, { period_seq: 3 }), period(2, again)] }))).toEqual([['same_period', 'period 1', 'period 2']]);
  const start = { period_start: '2026-11-01T00:00:00Z' };
  expect(named(compose({ periods: [period(1, start), period(2, { ...again, ...start, period_seq: 4 })] }))).toEqual([
    ['same_period', 'period 1', 'period 2'],
  ]);
  expect(compose({ periods: [period(1, { period_seq: 3 }), period(2, { ...again, subscription_id: 'SUB_1_B' })] })).toHaveLength(2);
});

test('three charges of which each is like the next are one group', () => {
  const groups = compose({
    periods: [period(1, { period_seq: 7 }), period(2, { period_seq: 7, paid_at: '2026-10-01T00:00:00Z' })],
    purchases: [purchase('ORD_1')],
  });
  expect(named(groups)).toEqual([['both', 'ORD_1', 'period 1', 'period 2']]);
});

test('a renewal and the order that charged it are one charge', () => {
  const sources = {
    periods: [period(1, { mint_order_id: 'MINT_1' })],
    unreadPeriods: [
      { periodId: 1, subscriptionId: 'SUB_1_A', orderId: 'MINT_1', amount_usd: '20.00', paidAt: '2026-11-14T09:30:00Z' },
      { periodId: 9, subscriptionId: 'SUB_1_B', orderId: 'MINT_9', amount_usd: '7.00', paidAt: '2026-08-01T00:00:00Z' },
    ],
    purchases: [purchase('MINT_1'), purchase('MINT_9')],
    named: [
      { idText: 'MINT_1', receivedAt: '2026-11-14T09:31:00Z' },
      { idText: 'ORD_5', receivedAt: '2026-11-20T00:00:00Z' },
    ],
  };
  expect(named(compose(sources))).toEqual([
    [null, 'unread ORD_5'],
    [null, 'period 1'],
    [null, 'unread period 9'],
  ]);
});

test('what Invo reports as not collected is no charge; what waits for the processor may be one', () => {
  const groups = compose({
    periods: [period(1, { paid_at: null, status: 'failed' })],
    purchases: ['failed', 'cancelled', 'requires_action', 'pending_payment', 'a new word', null].map((status, index) =>
      purchase(`ORD_${index}`, { status, createdAt: `2026-11-0${index + 1}T00:00:00Z` }),
    ),
  });
  expect(named(groups)).toEqual([
    [null, 'ORD_5'],
    [null, 'ORD_4'],
    [null, 'ORD_3'],
  ]);
});

test('an amount that isn’t known, in coins, or zero is like no other', () => {
  const groups = compose({
    periods: [period(1, { amount_usd: null }), period(2, { amount_usd: '0.00' }), period(3, { amount_usd: '0.00' })],
    purchases: [purchase('ORD_1', { amount: { field: 'currency_amount', amount: '20.00' } }), purchase('ORD_2', { amount: null })],
  });
  expect(groups.map(({ likeness }) => likeness)).toEqual([null, null, null, null, null]);
});

test('charges without an amount in USD or without a time are counted as not compared', () => {
  const groups = compose({
    periods: [period(1), period(2, { amount_usd: null })],
    unreadPeriods: [{ periodId: 9, subscriptionId: 'SUB_1_B', orderId: 'MINT_9', amount_usd: '7.00', paidAt: null }],
    purchases: [purchase('ORD_1'), purchase('ORD_2', { createdAt: null }), purchase('ORD_3', { status: 'failed', amount: null })],
    named: [{ idText: 'ORD_5', receivedAt: '2026-11-14T00:00:00Z' }],
  });
  expect(countUncompared(groups)).toBe(4);
  expect(countUncompared(compose({ periods: [period(1)], purchases: [purchase('ORD_1')] }))).toBe(0);
});

test.each([
  ['nothing refunded', { refunded_amount_usd: '0.00' }, 'paid', 'none'],
  ['part of it', { refunded_amount_usd: '4.00' }, 'paid', 'partial'],
  ['all of it', { refunded_amount_usd: '20.00' }, 'paid', 'full'],
  ['a refunded period without an amount', null, 'refunded', 'full'],
  ['refunds not reported', null, 'paid', 'unknown'],
  ['an amount not reported', { refunded_amount_usd: null }, 'paid', 'unknown'],
])('the refund of a period: %s', (_, refund, status, fact) => {
  expect(compose({ periods: [period(1, { refund, status })] })[0]?.charges[0]?.refund).toBe(fact);
});

test.each([
  ['completed', 'rest_unknown'],
  ['refunded', 'full'],
  ['disputed_lost', 'dispute_lost'],
  ['a new word', 'unknown'],
])('the refund of a purchase that is %s', (status, fact) => {
  expect(compose({ purchases: [purchase('ORD_1', { status })] })[0]?.charges[0]?.refund).toBe(fact);
});

test('of many subscriptions those that renew are read first, then those billed last, in Invo’s order', () => {
  const listed = [
    { subscription_id: 'new and unpaid', status: 'active', current_period_start: null },
    { subscription_id: 'ended last', status: 'canceled', current_period_start: '2026-10-01T00:00:00Z' },
    { subscription_id: 'ended first', status: 'expired', current_period_start: '2025-01-01T00:00:00Z' },
    { subscription_id: 'renews', status: 'active', current_period_start: '2026-11-01T00:00:00Z' },
  ];
  const isEnded = (status: string | null) => status !== 'active';
  const chosen = (most: number) => chooseSubscriptions(listed, { most, isEnded }).map(({ subscription_id }) => subscription_id);
  expect(chosen(1)).toEqual(['renews']);
  expect(chosen(3)).toEqual(['new and unpaid', 'ended last', 'renews']);
});
