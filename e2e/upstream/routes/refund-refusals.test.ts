import { describe, expect, test } from 'vitest';
import { openDoor } from '../test-door.ts';

const ID = 'SUB_1767225600_WITN01AL';
const KEY = { client_request_id: 'k-1' };

describe('what is refused, with nothing moved', () => {
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
    const door = await openDoor();
    const answered = await door.post(`/api/subscriptions/${id}/refund`, body);
    expect([answered.status, answered.body.error_code]).toEqual([status, code]);
    expect(answered.body).toMatchObject({ ...facts, error: expect.any(String), error_id: expect.stringMatching(/^err_/) });
    expect((await door.control('GET', 'refunds')).body).toMatchObject({ refunds: [], calls: [{ outcome: `refused ${code}`, status }] });
  });

  test('the longest key and the longest reason pass', async () => {
    const door = await openDoor();
    const body = { client_request_id: 'k'.repeat(255), reason: 'r'.repeat(500) };
    expect((await door.post(`/api/subscriptions/${ID}/refund`, body)).status).toBe(200);
  });

  test('the twenty-first call of a minute on one subscription waits, others do not', async () => {
    const door = await openDoor({ isRateLimited: true, meterNowMs: () => 0 });
    const path = `/api/subscriptions/${ID}/refund`;
    for (let call = 0; call < 20; call += 1) expect((await door.post(path, KEY)).status).toBe(200);
    const { status, body, headers } = await door.post(path, KEY);
    expect([status, body.error_code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.retry_after).toBeGreaterThan(50);
    expect(headers.get('retry-after')).toBe(String(body.retry_after));
    expect((await door.post('/api/subscriptions/SUB_1767225600_WITN02AL/refund', { client_request_id: 'k-2' })).status).toBe(200);
  });

  test('a wrong key, a game that is not live and the wrong method', async () => {
    const door = await openDoor();
    const path = `/api/subscriptions/${ID}/refund`;
    expect((await door.post(path, KEY, {})).body.error_code).toBe('INVALID_GAME_SECRET');
    expect((await door.ask(path)).body.error_code).toBe('NOT_FOUND');
    await door.control('POST', 'game', { status: 'suspended' });
    expect((await door.post(path, KEY)).body.error_code).toBe('GAME_NOT_ACTIVE');
  });
});
