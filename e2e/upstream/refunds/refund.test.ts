import { describe, expect, test } from 'vitest';
import { type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const FIRST = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';

async function wallet(invo: TestInvo, email: string, coins?: string): Promise<string> {
  if (coins !== undefined) await invo.control('POST', 'wallet', { player_email: email, coins });
  return (await invo.control('GET', `wallet?player_email=${encodeURIComponent(email)}`)).body.coins;
}

describe('the effects of a refund', () => {
  test('in full are the card charge, the partner revenue without the fee and the attributed amount; coins stay', async () => {
    const invo = await openInvo();
    await wallet(invo, 'witness-202601-0@players.example', '7.00');
    const { status, body } = await invo.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '20.00', reason: 'asked' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'refunded',
      idempotent_replay: false,
      refund_key: expect.stringMatching(/^SUB_1767225600_WITN01AL:10:/),
      client_request_id: 'k-1',
      subscription_id: 'SUB_1767225600_WITN01AL',
      period_seq: 10,
      transaction_id: expect.stringMatching(/^RFD_2026100001_[0-9A-F]{10}$/),
      refunded_amount_usd: '20.00',
      total_refunded_amount_usd: '20.00',
      remaining_refundable_usd: '0.00',
      is_full_refund: true,
      funding_shape: 'card',
      balance_delta_coins: '0.00',
      card_refunded_usd: '20.00',
      processor_refund_reference: expect.stringMatching(/^re_/),
      processor_refund_adopted: false,
      invo_fee_retained: true,
      partner_revenue_reversed_usd: '18.00',
      partner_revenue_reversal_mode: 'full',
      card_fee_charged_to_partner_usd: '2.00',
      revenue_share_attribution: {
        recipient_player_id: 9001,
        percent: '10.00',
        original_attributed_amount_usd: '1.80',
        refunded_attributed_amount_usd: '1.80',
        net_attributed_amount_usd: '0.00',
        settled_by_invo: false,
      },
      reason: 'asked',
      refunded_at: '2026-11-21T12:00:00.000Z',
      new_balance: '7.00',
    });
  });

  test('in parts are ten coins per dollar; the last part returns the whole charge to the card and takes the coins back, below zero if spent', async () => {
    const invo = await openInvo();
    const email = 'witness-202601-0@players.example';
    await wallet(invo, email, '3.00');
    const part = (await invo.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' })).body;
    expect(part).toMatchObject({
      is_full_refund: false,
      remaining_refundable_usd: '15.00',
      balance_delta_coins: '50.00',
      card_refunded_usd: '0.00',
      processor_refund_reference: null,
      partner_revenue_reversed_usd: '4.50',
      partner_revenue_reversal_mode: 'prorata',
      card_fee_charged_to_partner_usd: '0.50',
      revenue_share_attribution: { refunded_attributed_amount_usd: '0.45', net_attributed_amount_usd: '1.35' },
      new_balance: '53.00',
    });
    await wallet(invo, email, '20.00');
    const rest = (await invo.post(FIRST, { client_request_id: 'k-2', period_seq: 10 })).body;
    expect(rest).toMatchObject({
      is_full_refund: true,
      refunded_amount_usd: '15.00',
      total_refunded_amount_usd: '20.00',
      balance_delta_coins: '-50.00',
      card_refunded_usd: '20.00',
      partner_revenue_reversed_usd: '13.50',
      card_fee_charged_to_partner_usd: '1.50',
      revenue_share_attribution: { refunded_attributed_amount_usd: '1.80', net_attributed_amount_usd: '0.00' },
      new_balance: '-30.00',
    });
    expect(await wallet(invo, email)).toBe('-30.00');
  });

  test.each([
    ['mixed before 17 September', 'SUB_1767225600_WITN16AL', 9, ['20.00', 'mixed', '1200.00', '25.00', '18.00', '2.00']],
    ['wallet-covered', 'SUB_1733400000_DESKINES', 1, ['20.00', 'wallet', '2000.00', '0.00', '18.00', '0.00']],
    ['wallet-covered in the store', 'SUB_1638957600_DESKVIK1', 2, ['15.00', 'wallet', '1500.00', '0.00', '13.50', '0.00']],
    ['partly refunded before', 'SUB_1733396400_DESKTOMA', 1, ['28.00', 'card', '-120.00', '40.00', '25.20', '2.80']],
    ['with four places', 'SUB_1767225600_WITN15AL', 10, ['5.0020', 'card', '-50.02', '10.0040', '4.5018', '0.5002']],
  ])('what is left of a period %s', async (_, id, period_seq, figures) => {
    const invo = await openInvo();
    const { body } = await invo.post(`/api/subscriptions/${id}/refund`, { client_request_id: 'k-1', period_seq });
    expect([
      body.refunded_amount_usd,
      body.funding_shape,
      body.balance_delta_coins,
      body.card_refunded_usd,
      body.partner_revenue_reversed_usd,
      body.card_fee_charged_to_partner_usd,
    ]).toEqual(figures);
  });

  test('of the demo refund of 49.99 match the figures worked out by hand', async () => {
    const invo = await openInvo();
    const path = '/api/subscriptions/SUB_1794273961_54TGUAL9/refund';
    expect(await wallet(invo, 'fan-202611-12@players.example')).toBe('1215.00');
    const part = (await invo.post(path, { client_request_id: 'k-1', period_seq: 1, amount_usd: '20.00' })).body;
    expect(part).toMatchObject({
      balance_delta_coins: '200.00',
      partner_revenue_reversed_usd: '18.00',
      card_fee_charged_to_partner_usd: '2.00',
      revenue_share_attribution: { original_attributed_amount_usd: '9.00', net_attributed_amount_usd: '5.40' },
      new_balance: '1415.00',
    });
    const rest = (await invo.post(path, { client_request_id: 'k-2', period_seq: 1 })).body;
    expect(rest).toMatchObject({
      refunded_amount_usd: '29.99',
      card_refunded_usd: '49.99',
      balance_delta_coins: '-200.00',
      partner_revenue_reversed_usd: '26.99',
      card_fee_charged_to_partner_usd: '3.00',
      revenue_share_attribution: { net_attributed_amount_usd: '0.00' },
      new_balance: '1215.00',
    });
  });
});

const PERIOD = '/api/subscriptions/reporting/periods/2026100001';

describe('after a refund', () => {
  test('the period, the subscription, its attribution and the report of the window show it', async () => {
    const invo = await openInvo();
    const november = '/api/subscriptions/SUB_1767225600_WITN01AL';
    expect((await invo.ask(november)).body.subscription.paid_through).toBe('2026-12-01T00:00:00.000Z');
    const { transaction_id } = (await invo.post(FIRST, { client_request_id: 'k-1', period_seq: 10, amount_usd: '5.00' })).body;
    await invo.post(FIRST, { client_request_id: 'k-2' });
    const { body } = await invo.ask(PERIOD);
    expect(body.refunds).toMatchObject({ refund_count: 1, refunded_to_date_usd: '5.00', basis: 'refund_receipts' });
    expect(body.refunds.events[0]).toMatchObject({
      refund_transaction_id: transaction_id,
      refunded_amount_usd: '5.00',
      partner_revenue_reversal_basis: 'clawback',
    });
    expect(body.fee_legs).toMatchObject({
      invo_fee_usd: '2.00',
      partner_revenue_reversed_usd: '4.50',
      card_fee_charged_to_partner_usd: '0.50',
      partner_revenue_after_fees_usd: '13.00',
    });
    expect(body.period).toMatchObject({ status: 'paid', refund: { refunded_amount_usd: '5.00' } });
    const { subscription } = (await invo.ask(november)).body;
    expect([subscription.status, subscription.paid_through]).toEqual(['active', '2026-11-01T00:00:00.000Z']);
    const { recipients } = await invo.report('2026-11-21', '2026-11-22', '&recipient_player_id=9001');
    expect(recipients[0]).toMatchObject({ net_attributed_usd: '-2.25', reversal_count: 2 });
    expect(recipients[0].reversals.map((line: Body) => line.reversal_basis)).toEqual(['refund_receipts', 'refund_receipts']);
  });

  test('a request without a period takes the newest paid one that is not fully refunded, until all are', async () => {
    const invo = await openInvo();
    const seqs: number[] = [];
    for (let count = 0; count < 11; count += 1) seqs.push((await invo.post(FIRST, { client_request_id: `k-${count}` })).body.period_seq);
    expect(seqs).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await invo.post(FIRST, { client_request_id: 'k-last' })).body.error_code).toBe('ALREADY_REFUNDED');
  });
});

const ID = 'SUB_1767225600_WITN01AL';
const KEY = { client_request_id: 'k-1' };

describe('a refused refund moves nothing', () => {
  test.each([
    [ID, {}, 400, 'CLIENT_REQUEST_ID_REQUIRED', {}],
    [ID, { client_request_id: '' }, 400, 'CLIENT_REQUEST_ID_REQUIRED', {}],
    [ID, { client_request_id: 7 }, 400, 'CLIENT_REQUEST_ID_INVALID', {}],
    [ID, { client_request_id: 'a\nb' }, 400, 'CLIENT_REQUEST_ID_INVALID', {}],
    [ID, { client_request_id: 'k'.repeat(256) }, 400, 'CLIENT_REQUEST_ID_TOO_LONG', {}],
    [ID, { client_request_id: 'Sub_7' }, 400, 'CLIENT_REQUEST_ID_RESERVED', {}],
    [ID, { ...KEY, period_seq: 0 }, 400, 'INVALID_PERIOD_SEQ', {}],
    [ID, { ...KEY, period_seq: '10' }, 400, 'INVALID_PERIOD_SEQ', {}],
    [ID, { ...KEY, period_seq: 99 }, 404, 'PERIOD_NOT_FOUND', {}],
    [ID, { ...KEY, amount_usd: 5 }, 400, 'INVALID_AMOUNT', {}],
    [ID, { ...KEY, amount_usd: '0.00' }, 400, 'INVALID_AMOUNT', {}],
    [ID, { ...KEY, amount_usd: '1.005' }, 400, 'INVALID_AMOUNT', {}],
    [
      ID,
      { ...KEY, amount_usd: '20.01' },
      400,
      'AMOUNT_EXCEEDS_REMAINING',
      { remaining_refundable_usd: '20.00', already_refunded_usd: '0.00' },
    ],
    [ID, '[]', 400, 'INVALID_BODY', {}],
    [ID, '{"client_request_id":', 400, 'INVALID_BODY', {}],
    [ID, '', 400, 'INVALID_BODY', {}],
    [ID, { ...KEY, reason: 'r'.repeat(501) }, 400, 'INVALID_FIELD_VALUE', {}],
    ['SUB_1_NOBODY00', KEY, 404, 'SUBSCRIPTION_NOT_FOUND', {}],
    ['SUB%20x', KEY, 400, 'INVALID_FIELD_VALUE', {}],
    ['SUB_1795007200_DESKNORA', KEY, 404, 'SUBSCRIPTION_NOT_FOUND', {}],
    ['SUB_1794920400_DESKNORA', KEY, 409, 'NO_PAID_PERIOD', {}],
    ['SUB_1794920400_DESKNORA', { ...KEY, period_seq: 1 }, 409, 'NO_PAID_PERIOD', {}],
    ['SUB_1794920400_DESKNORA', { ...KEY, period_seq: 2 }, 404, 'PERIOD_NOT_FOUND', {}],
    ['SUB_1767225600_WITN19AL', { ...KEY, period_seq: 3 }, 409, 'NO_PAID_PERIOD', {}],
    ['SUB_1734508800_DESKOWEN', { ...KEY, period_seq: 2 }, 409, 'PERIOD_NOT_REFUNDABLE', { period_status: 'pending' }],
    ['SUB_1733482800_DESKRUTH', { ...KEY, period_seq: 2 }, 409, 'PERIOD_NOT_REFUNDABLE', { period_status: 'failed' }],
    ['SUB_1767225600_WITN05AL', KEY, 409, 'ALREADY_REFUNDED', { refunded_amount_usd: '10.00', amount_usd: '10.00' }],
    ['SUB_1767225600_WITN12AL', KEY, 409, 'PCSTORE_REFUND_NOT_SUPPORTED', {}],
    ['SUB_1638957600_DESKVIK1', { ...KEY, period_seq: 1 }, 409, 'PCSTORE_REFUND_NOT_SUPPORTED', {}],
  ])('%s %j is %i %s', async (id, body, status, code, facts) => {
    const invo = await openInvo();
    const answered = await invo.post(`/api/subscriptions/${id}/refund`, body);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
    expect(answered.body).toMatchObject({ ...facts, error: expect.any(String), error_id: expect.stringMatching(/^err_/) });
    expect((await invo.control('GET', 'refunds')).body).toMatchObject({ refunds: [], calls: [{ outcome: `refused ${code}`, status }] });
  });

  test('the longest key and the longest reason are accepted', async () => {
    const invo = await openInvo();
    const body = { client_request_id: 'k'.repeat(255), reason: 'r'.repeat(500) };
    expect((await invo.post(`/api/subscriptions/${ID}/refund`, body)).status).toBe(200);
  });

  test('the twenty-first call of a minute on one subscription is refused, others are not', async () => {
    const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
    const path = `/api/subscriptions/${ID}/refund`;
    for (let call = 0; call < 20; call += 1) expect((await invo.post(path, KEY)).status).toBe(200);
    const { status, body, headers } = await invo.post(path, KEY);
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.retry_after).toBeGreaterThan(50);
    expect(headers.get('retry-after')).toBe(String(body.retry_after));
    expect((await invo.post('/api/subscriptions/SUB_1767225600_WITN02AL/refund', { client_request_id: 'k-2' })).status).toBe(200);
  });

  test('a wrong secret, a game that is not live and a wrong method are refused', async () => {
    const invo = await openInvo();
    const path = `/api/subscriptions/${ID}/refund`;
    expect((await invo.post(path, KEY, {})).body.error_code).toBe('INVALID_GAME_SECRET');
    expect((await invo.ask(path)).body.error_code).toBe('NOT_FOUND');
    await invo.control('POST', 'game', { status: 'suspended' });
    const refused = await invo.post(path, KEY);
    expect([refused.status, refused.body.error_code, refused.body.error]).toEqual([
      403,
      undefined,
      'This game is neither live nor testing.',
    ]);
  });
});
