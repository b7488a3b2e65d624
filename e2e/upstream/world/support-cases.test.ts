import { describe, expect, test } from 'vitest';
import { inMonth } from '../instant.ts';
import { type Body, openInvo } from '../testing/test-client.ts';
import { SUPPORT_CASES } from './support-table.ts';
import { createDemoWorld } from './worlds.ts';

const idOf = (tail: string): string =>
  `SUB_${Math.floor(Date.parse(SUPPORT_CASES.find((support) => support.tail === tail)?.beganAt ?? '') / 1000)}_${tail}`;

test('no support case settles after December 2024', () => {
  const world = createDemoWorld();
  const later = world.paidBetween(inMonth(2025 * 12), inMonth(2027 * 12)).filter(({ id }) => id % 10_000 >= 8000);
  const refunds = world.refundedBetween(inMonth(2024 * 12), inMonth(2027 * 12)).filter(({ id }) => id % 10_000 >= 8000);
  expect(later).toEqual([]);
  expect(refunds.flatMap((period) => period.refunds.map(({ atMs }) => atMs))).toEqual([Date.UTC(2024, 11, 20, 9)]);
  expect(world.paidBetween(inMonth(2024 * 12 + 11), inMonth(2025 * 12)).filter(({ id }) => id % 10_000 >= 8000)).toHaveLength(17);
});

describe('each subscription state support may meet exists', () => {
  test.each<[string, Body]>([
    ['DESKMIRA', { status: 'active', amount_usd: '60.00', paid_through: '2027-12-05T10:00:00.000Z', cancel_at_period_end: false }],
    ['DESKINES', { status: 'active', wallet_only: true, has_payment_method: false }],
    [
      'DESKOWEN',
      { status: 'retrying', next_charge_at: '2026-11-22T06:00:00.000Z', paid_through: '2026-10-18T08:00:00.000Z', period_seq: 1 },
    ],
    ['DESKLENA', { status: 'awaiting_authentication', next_charge_at: '2026-11-22T06:00:00.000Z', paid_through: null }],
    ['DESKPAVE', { status: 'canceled', next_charge_at: null, ended_at: '2025-01-06T10:00:00.000Z' }],
    ['DESKRUTH', { status: 'expired', next_charge_at: null, ended_at: '2025-01-20T11:00:00.000Z' }],
    ['DESKSENA', { status: 'active', cancel_at_period_end: true, canceled_at: '2025-01-03T09:30:00.000Z', ended_at: null }],
    ['DESKTHEO', { amount_usd: '20.00', pending_amount_usd: '25.00' }],
    ['DESKUMA1', { amount_usd: '20.00', pending_amount_usd: '45.00' }],
    ['DESKUMA2', { amount_usd: '300.00', pending_amount_usd: '520.00' }],
    ['DESKNORA', { status: 'retrying', paid_through: null }],
    ['DESKVIK1', { status: 'active', funding_rail: 'pcstore', pcstore_agreement_status: 'active', has_payment_method: false }],
    ['DESKVIK2', { status: 'pending_pcstore_authorization', next_charge_at: null, pcstore_agreement_status: 'pending' }],
  ])('%s', async (tail, fields) => {
    const invo = await openInvo();
    expect((await invo.ask(`/api/subscriptions/${idOf(tail)}`)).body.subscription).toMatchObject(fields);
  });
});

test('periods are partly refunded, in dunning, failed, and on both rails of the store', async () => {
  const invo = await openInvo();
  const periods = async (tail: string): Promise<Body[]> =>
    (await invo.ask(`/api/subscriptions/reporting/subscriptions/${idOf(tail)}/attribution`)).body.periods;
  expect(await periods('DESKTOMA')).toMatchObject([
    {
      period_id: 2024128002,
      status: 'paid',
      amount_usd: '40.00',
      invo_fee_usd: '4.00',
      partner_revenue_settled_usd: '36.00',
      partner_revenue_reversed_usd: '10.80',
      refund: { refunded_amount_usd: '12.00', refunded_at: '2024-12-20T09:00:00.000Z' },
      attribution: { percent_at_renewal: '25.00', base_usd: '36.00', attributed_amount_usd: '9.00' },
    },
  ]);
  expect(await periods('DESKOWEN')).toMatchObject([
    { period_id: 2026108004, status: 'pending', paid_at: null },
    { period_id: 2024128004, status: 'paid' },
  ]);
  expect((await invo.ask('/api/subscriptions/reporting/periods/2026108004')).body.charge).toEqual({
    attempts_for_period: 3,
    paid_attempt_no: null,
    paid_attempt_at: null,
    outcome: 'pending',
  });
  expect(await periods('DESKRUTH')).toMatchObject([
    { period_id: 2025018007, status: 'failed' },
    { period_id: 2024128007, status: 'paid' },
  ]);
  expect(
    (await periods('DESKVIK1')).map(({ period_id, funding }) => [period_id, funding.pcstore_charged_usd, funding.balance_applied_coins]),
  ).toEqual([
    [2024128013, '0.00', '1500.00'],
    [2021128013, '15.00', '0.00'],
  ]);
});

test.each([
  ['DESKDARI', 409, 'NO_PAYMENT_REFERENCE'],
  ['DESKYUKI', 500, 'INTERNAL_ERROR'],
  ['DESKOSKA', 502, 'REFUND_LOOKUP_FAILED'],
])('every refund of %s fails with %i %s and moves nothing', async (tail, status, code) => {
  const invo = await openInvo();
  for (const client_request_id of ['k-1', 'k-1', 'k-2']) {
    const answered = await invo.post(`/api/subscriptions/${idOf(tail)}/refund`, { client_request_id, period_seq: 1 });
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  }
  expect((await invo.control('GET', 'refunds')).body.refunds).toEqual([]);
});
