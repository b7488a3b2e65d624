import { describe, expect, test } from 'vitest';
import { type Answered, type Body, type Door, openDoor } from '../test-door.ts';

const REFUND = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';
const BODY = { client_request_id: 'k-1', period_seq: 10, amount_usd: '20.00' };

async function armed(...faults: object[]): Promise<Door> {
  const door = await openDoor();
  expect((await door.control('POST', 'faults', faults)).status).toBe(200);
  return door;
}

async function refund(door: Door): Promise<Answered | null> {
  return door.post(REFUND, BODY).catch(() => null);
}

async function seen(door: Door): Promise<{ executed: number; outcomes: (string | number)[][] }> {
  const { refunds, calls } = (await door.control('GET', 'refunds')).body;
  return {
    executed: refunds.reduce((sum: number, each: Body) => sum + each.executed, 0),
    outcomes: calls.map((call: Body) => [call.outcome, call.status]),
  };
}

describe('the service forgets', () => {
  test('receipt_lost: 500, executed, then the reduced body for ever', async () => {
    const door = await armed({ kind: 'receipt_lost' });
    expect(await refund(door)).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } });
    const [first, second] = [await refund(door), await refund(door)];
    const { refunds } = (await door.control('GET', 'refunds')).body;
    expect(first?.body).toEqual({ status: 'refunded', transaction_id: refunds[0].transaction_id, note: expect.any(String) });
    expect([first?.status, second?.body]).toEqual([200, first?.body]);
    expect(await seen(door)).toEqual({
      executed: 1,
      outcomes: [
        ['executed', 500],
        ['reduced', 200],
        ['reduced', 200],
      ],
    });
  });

  test('receipt_lost_conflict: no answer, executed, then 409 with the references and no code', async () => {
    const door = await armed({ kind: 'receipt_lost_conflict' });
    expect(await refund(door)).toBeNull();
    const repeated = await refund(door);
    expect(repeated?.status).toBe(409);
    const { refunds } = (await door.control('GET', 'refunds')).body;
    expect(repeated?.body).toEqual({
      error: expect.any(String),
      transaction_id: refunds[0].transaction_id,
      order_id: expect.stringMatching(/^ORD_/),
    });
    expect((await seen(door)).executed).toBe(1);
  });

  test('what is lost of a refund that was refused stays armed for one that is not', async () => {
    const door = await armed({ kind: 'receipt_lost' });
    expect((await door.post(REFUND, { ...BODY, amount_usd: '21.00' })).body.error_code).toBe('AMOUNT_EXCEEDS_REMAINING');
    expect((await refund(door))?.status).toBe(500);
    expect((await door.control('GET', 'faults')).body.faults).toEqual([]);
  });

  test('processor_failed_after_card: nothing recorded, and the next call of the key adopts the card refund', async () => {
    const door = await armed({ kind: 'processor_failed_after_card' });
    expect(await refund(door)).toMatchObject({
      status: 502,
      body: { error_code: 'PROCESSOR_ERROR', error_code_public: 'PROCESSOR_ERROR' },
    });
    expect(await seen(door)).toEqual({ executed: 0, outcomes: [['card_refunded_then_failed', 502]] });
    expect((await door.ask('/api/subscriptions/reporting/periods/2026100001')).body.refunds.refund_count).toBe(0);
    const adopted = await refund(door);
    expect(adopted?.body).toMatchObject({ idempotent_replay: false, processor_refund_adopted: true, card_refunded_usd: '20.00' });
    expect((await refund(door))?.body).toMatchObject({ idempotent_replay: true, processor_refund_adopted: true });
  });
});

describe('the service refuses', () => {
  test.each([
    ['processor_error', 502, { error_code: 'PROCESSOR_ERROR', error_code_public: 'PROCESSOR_ERROR' }],
    ['lookup_failed', 502, { error_code: 'REFUND_LOOKUP_FAILED' }],
    ['mismatch', 502, { error_code: 'REFUND_MISMATCH' }],
    ['flow_paused', 503, { error_code: 'FLOW_PAUSED' }],
    ['internal_error', 500, { error_code: 'INTERNAL_ERROR' }],
    ['unknown_code', 409, { error_code: 'REFUND_HELD_FOR_REVIEW' }],
    ['mint_order_missing', 409, { error_code: 'MINT_ORDER_MISSING' }],
    ['no_payment_reference', 409, { error_code: 'NO_PAYMENT_REFERENCE' }],
    ['not_configured', 503, { error_code_public: 'PROCESSOR_NOT_CONFIGURED' }],
    ['card_removed', 409, { error_code: 'PAYMENT_METHOD_UNAVAILABLE' }],
    ['429', 429, { error_code: 'rate_limit_exceeded', retry_after: 1 }],
    ['401', 401, { error_code: 'INVALID_GAME_SECRET' }],
    ['403', 403, { error_code: 'GAME_NOT_ACTIVE' }],
    ['404', 404, { error_code: 'SUBSCRIPTION_NOT_FOUND' }],
    ['503', 503, { error_code: 'service_unavailable' }],
  ])('%s is %i and nothing moved; with when after it did', async (kind, status, body) => {
    const door = await armed({ kind }, { kind, when: 'after' });
    const before = await refund(door);
    expect([before?.status, before?.body]).toEqual([status, expect.objectContaining({ ...body, error_id: expect.any(String) })]);
    expect(await seen(door)).toMatchObject({ executed: 0 });
    expect((await refund(door))?.status).toBe(status);
    expect((await seen(door)).executed).toBe(1);
    expect((await refund(door))?.body.idempotent_replay).toBe(true);
  });

  test('service_unavailable and paused are bodies without a code', async () => {
    const door = await armed({ kind: 'service_unavailable' }, { kind: 'paused' });
    expect(await refund(door)).toMatchObject({ status: 503, text: '{"status":"service_unavailable"}' });
    expect((await refund(door))?.body).toEqual({ error: expect.any(String), status: 'paused' });
  });

  test('two_codes names two codes of the contract, and nothing moved', async () => {
    const door = await armed({ kind: 'two_codes' });
    expect(await refund(door)).toMatchObject({
      status: 502,
      body: { error_code: 'REFUND_LOOKUP_FAILED', error_code_public: 'PROCESSOR_ERROR' },
    });
    expect(await seen(door)).toMatchObject({ executed: 0 });
  });

  test('refuse takes any status, code, public code and facts', async () => {
    const door = await armed({ kind: 'refuse', status: 422, code: 'LATER', codePublic: 'RAIL_DISABLED', facts: { period_status: 'paid' } });
    expect(await refund(door)).toMatchObject({
      status: 422,
      body: { error_code: 'LATER', error_code_public: 'RAIL_DISABLED', period_status: 'paid' },
    });
  });

  test('a fault finds its call by subscription, key, route or method', async () => {
    const door = await armed(
      { kind: '500', match: { subscription_id: 'SUB_1767225600_WITN02AL' } },
      { kind: '502', match: { client_request_id: 'k-9' } },
      { kind: '503', match: { route: 'cancel' } },
      { kind: '404', match: { method: 'GET' } },
    );
    expect((await refund(door))?.status).toBe(200);
    expect((await door.post(REFUND, { client_request_id: 'k-9' })).status).toBe(502);
    expect((await door.post('/api/subscriptions/SUB_1767225600_WITN02AL/refund', BODY)).status).toBe(500);
    expect((await door.post('/api/subscriptions/SUB_1767225600_WITN02AL/cancel')).status).toBe(503);
    expect((await door.ask('/api/subscriptions/SUB_1767225600_WITN02AL')).status).toBe(404);
    expect((await door.control('GET', 'faults')).body.faults).toEqual([]);
  });
});
