import { describe, expect, test } from 'vitest';
import { openInvo } from '../testing/test-client.ts';

const REPORTING = '/api/subscriptions/reporting';
const FOURTH = 'SUB_1767225600_WITN04AL';

describe("one subscription's attribution", () => {
  test('lists every period newest first, unpaid ones included, with lifetime totals', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${REPORTING}/subscriptions/SUB_1767225600_WITN19AL/attribution?limit=3`);
    expect(body.periods.map((line: { period_seq: number }) => line.period_seq)).toEqual([11, 10, 9]);
    expect(body.periods[0]).toMatchObject({ status: 'failed', paid_at: null, attribution: null, attribution_unavailable_reason: null });
    expect(body.pagination).toEqual({ total_count: 11, limit: 3, offset: 0, has_more: true });
    expect(body.lifetime_totals).toMatchObject({ renewals_settled: 0, recipient_player_ids: [] });
  });

  test('sums lifetime totals and reports the current share separately', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${REPORTING}/subscriptions/${FOURTH}/attribution`);
    expect(body.lifetime_totals).toMatchObject({
      renewals_settled: 11,
      refund_events_in_window: 21,
      gross_attributed_usd: '99.00',
      reversed_attributed_usd: '92.70',
      recipient_player_ids: [9010],
    });
    expect(body.current_revenue_share).toMatchObject({
      recipient_player_id: 9010,
      percent: '20.00',
      applies_to: 'future_renewals_only',
      is_payout_basis: false,
      settled_by_invo: false,
    });
    expect(body.subscription).toEqual({
      subscription_id: FOURTH,
      status: 'active',
      item_id: 'witness-4',
      item_name: 'Witness pass',
      current_amount_usd: '50.00',
      interval: 'month',
      interval_count: 1,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });

  test('filters by status; a partly refunded period is still paid', async () => {
    const invo = await openInvo();
    const count = async (status: string): Promise<number> =>
      (await invo.ask(`${REPORTING}/subscriptions/${FOURTH}/attribution?status=${status}`)).body.pagination.total_count;
    expect([await count('refunded'), await count('paid'), await count('refunded,paid'), await count('failed')]).toEqual([10, 1, 11, 0]);
  });

  test.each([
    [`subscriptions/${FOURTH}/attribution?status=lost`, 400, 'STATUS_INVALID'],
    [`subscriptions/${FOURTH}/attribution?limit=101`, 400, 'PAGINATION_INVALID'],
    ['subscriptions/SUB_1_NOBODY00/attribution', 404, 'SUBSCRIPTION_NOT_FOUND'],
    [`subscriptions/${'S'.repeat(51)}/attribution`, 400, 'SUBSCRIPTION_ID_INVALID'],
    ['periods/one', 400, 'INVALID_FIELD_VALUE'],
    ['periods/2026101999', 404, 'PERIOD_NOT_FOUND'],
    ['periods/2026120001', 404, 'PERIOD_NOT_FOUND'],
    ['periods/2026100001?x=1', 400, 'INVALID_FIELD_VALUE'],
  ])('%s is %i %s', async (path, status, code) => {
    const invo = await openInvo();
    const answered = await invo.ask(`${REPORTING}/${path}`);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
  });
});

describe('a period whose settlement record is unreachable', () => {
  const LEGS = { invo_fee_usd: null, partner_revenue_usd: null, partner_revenue_settled_usd: null, partner_revenue_reversed_usd: null };

  test('has its price and no shares on both routes', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${REPORTING}/periods/2026100009`);
    const line = {
      ...LEGS,
      status: 'paid',
      amount_usd: '12.00',
      attribution: null,
      attribution_unavailable_reason: 'spend_order_not_found',
    };
    expect(body.period).toMatchObject(line);
    expect(body.fee_legs).toMatchObject({ ...LEGS, partner_leg_reversed: null, partner_revenue_after_fees_usd: null });
    const periods = (await invo.ask(`${REPORTING}/subscriptions/SUB_1767225600_WITN09AL/attribution`)).body;
    expect(periods.periods).toContainEqual(expect.objectContaining({ ...line, period_id: 2026100009 }));
    expect(periods.lifetime_totals).toMatchObject({ renewals_settled: 11, settled_gross_usd: '132.00', partner_revenue_usd: '118.80' });
  });
});

describe('one period', () => {
  test('reports its refunds with transaction ids, its shares and its charge', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`${REPORTING}/periods/2026100004`);
    expect(body.refunds).toMatchObject({
      refund_count: 2,
      refunded_to_date_usd: '50.00',
      latest_refund_at: '2026-11-01T10:00:00.000Z',
      basis: 'refund_receipts',
    });
    expect(body.refunds.events[1]).toMatchObject({
      cumulative_refunded_before_usd: '15.00',
      is_full_refund: true,
      reversed_attributed_usd: '6.30',
      refund_transaction_id: 'RFD_2026100004_2',
    });
    expect(body.fee_legs).toMatchObject({
      invo_fee_usd: '5.00',
      partner_revenue_usd: '0.00',
      partner_leg_reversed: true,
      card_fee_charged_to_partner_usd: '5.00',
      partner_revenue_after_fees_usd: '-5.00',
    });
    expect(body.period).toMatchObject({
      status: 'refunded',
      partner_revenue_settled_usd: '45.00',
      attribution: { attributed_amount_usd: '9.00', base_usd: '45.00' },
    });
    expect(body.charge).toEqual({
      attempts_for_period: 1,
      paid_attempt_no: 1,
      paid_attempt_at: '2026-10-01T01:00:00.000Z',
      outcome: 'paid',
    });
  });

  test('has no card fee field for a refund before 2026-09-28, and 0.00 without refunds', async () => {
    const invo = await openInvo();
    expect((await invo.ask(`${REPORTING}/periods/2026080005`)).body.fee_legs).not.toHaveProperty('card_fee_charged_to_partner_usd');
    expect((await invo.ask(`${REPORTING}/periods/2026080001`)).body.fee_legs.card_fee_charged_to_partner_usd).toBe('0.00');
  });

  test('shows a refund without receipts as a period row, and a base that differs', async () => {
    const invo = await openInvo();
    const coarse = (await invo.ask(`${REPORTING}/periods/2026100007`)).body;
    expect(coarse.refunds).toMatchObject({ refund_count: 0, refunded_to_date_usd: '12.00', basis: 'period_row', events: [] });
    expect(coarse.period).toMatchObject({ partner_revenue_reversed_usd: '0.00', attribution: { percent_at_renewal: 12.5 } });
    const mismatch = (await invo.ask(`${REPORTING}/periods/2026100013`)).body.period;
    expect(mismatch.reconciliation).toEqual({
      checked: true,
      expected_base_usd: '90.00',
      recorded_base_usd: '95.00',
      base_matches_settled_fee: false,
    });
  });

  test('applies coins from the balance until 2026-09-17', async () => {
    const invo = await openInvo();
    const coins = async (id: number): Promise<string> =>
      (await invo.ask(`${REPORTING}/periods/${id}`)).body.period.funding.balance_applied_coins;
    expect([await coins(2026090016), await coins(2026100016), await coins(2026100014)]).toEqual(['1250.00', '0.00', '2000.00']);
  });
});

describe('subscriptions', () => {
  test('are read one by one, with the player if requested', async () => {
    const invo = await openInvo();
    const { body } = await invo.ask(`/api/subscriptions/${FOURTH}?include_player=true`);
    expect(body.subscription).toMatchObject({
      subscription_id: FOURTH,
      game_id: '41207',
      status: 'active',
      amount_usd: '50.00',
      period_seq: 11,
      funding_rail: 'card',
      revenue_share: { recipient_player_id: 9010, percent: '20.00', settled_by_invo: false },
      paid_through: '2026-12-01T01:00:00.000Z',
      player: { player_email: 'witness-202601-3@players.example' },
    });
    expect(Object.keys(body.subscription.consent)).toHaveLength(6);
    expect((await invo.ask(`/api/subscriptions/${FOURTH}`)).body.subscription).not.toHaveProperty('player');
    expect((await invo.ask('/api/subscriptions/SUB_1_NOBODY00')).body.error_code).toBe('SUBSCRIPTION_NOT_FOUND');
    expect((await invo.ask('/api/subscriptions/SUB%20x')).body.error_code).toBe('INVALID_FIELD_VALUE');
  });

  test('are listed by email; an unknown email gives an empty list', async () => {
    const invo = await openInvo();
    const list = async (query: string) => (await invo.ask(`/api/subscriptions/player?${query}`)).body;
    const held = await list('player_email=Fan-202609-5%40players.example');
    expect(held).toMatchObject({ status: 'success', pagination: { total_count: 2, limit: 50, offset: 0, has_more: false } });
    expect(held.subscriptions[0].created_at >= held.subscriptions[1].created_at).toBe(true);
    expect((await list('player_email=nobody%40players.example')).pagination.total_count).toBe(0);
    expect((await list('player_email=witness-202601-3%40players.example&status=live,canceled')).pagination.total_count).toBe(1);
    expect((await list('player_email=witness-202601-3%40players.example&status=expired')).pagination.total_count).toBe(0);
    expect((await list('status=live')).error_code).toBe('PLAYER_EMAIL_REQUIRED');
    expect((await list(`player_email=${'a'.repeat(255)}`)).error_code).toBe('PLAYER_EMAIL_TOO_LONG');
    expect((await list('player_email=a%40b.example&status=lively')).error_code).toBe('STATUS_INVALID');
    expect((await list('player_email=a%40b.example&limit=101')).error_code).toBe('PAGINATION_INVALID');
  });

  test('every regular period of a month can be read by its subscription and by its id', async () => {
    const invo = await openInvo();
    const { recipients } = await invo.report('2026-06-01', '2026-07-01');
    const lines = recipients
      .flatMap((each: { periods: { period_id: number; subscription_id: string }[] }) => each.periods)
      .filter((_: unknown, index: number) => index % 19 === 0);
    for (const line of lines) {
      expect((await invo.ask(`${REPORTING}/periods/${line.period_id}`)).body.period).toEqual(line);
      const { body } = await invo.ask(`${REPORTING}/subscriptions/${line.subscription_id}/attribution`);
      expect(body.periods).toContainEqual(line);
      expect(body.periods.map((each: { period_seq: number }) => each.period_seq)).toEqual(
        body.periods.map((_: unknown, index: number) => body.periods.length - index),
      );
    }
  });
});
