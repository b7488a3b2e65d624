import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answered, type Body, type Door, openDoor } from '../test-client.ts';

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

async function heldBy(door: Door): Promise<number> {
  return (await door.control('GET', 'held')).body.held;
}

async function firstBytes(response: Response): Promise<number> {
  const reader = response.body?.getReader();
  return (await reader?.read())?.value?.length ?? 0;
}

describe('the connection is cut', () => {
  test.each([
    ['drop_before', 0, ['not_executed', 0], false],
    ['reset', 0, ['not_executed', 0], false],
    ['drop_after', 1, ['executed', 0], true],
    ['torn_after', 1, ['executed', 200], true],
  ])('%s: executed %i times by then', async (kind, executed, outcome, isReplayed) => {
    const door = await armed({ kind });
    expect(await refund(door)).toBeNull();
    expect(await seen(door)).toEqual({ executed, outcomes: [outcome] });
    expect((await refund(door))?.body).toMatchObject({ idempotent_replay: isReplayed, refunded_amount_usd: '20.00' });
    expect((await seen(door)).executed).toBe(1);
  });

  test('stall sends half an answer and leaves it there', async () => {
    const door = await armed({ kind: 'stall' });
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const patience = new AbortController();
    const response = await fetch(door.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: patience.signal });
    const [half, promised] = [await firstBytes(response), Number(response.headers.get('content-length'))];
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(promised);
    expect((await seen(door)).executed).toBe(1);
    patience.abort();
  });
});

describe('the answer is late or another', () => {
  test('delay waits and then executes; delay_after executes and then waits', async () => {
    const door = await armed({ kind: 'delay', ms: 120 }, { kind: 'delay_after', ms: 120 });
    for (const clientRequestId of ['k-0', 'k-1']) {
      const before = performance.now();
      expect((await door.post(REFUND, { ...BODY, client_request_id: clientRequestId, amount_usd: '1.00' })).status).toBe(200);
      expect(performance.now() - before).toBeGreaterThan(115);
    }
    expect((await seen(door)).executed).toBe(2);
  });

  test.each([
    ['hold', 0],
    ['hold_after', 1],
  ])('%s keeps the answer back until control releases it, executed %i times by then', async (kind, executed) => {
    const door = await armed({ kind });
    const held = refund(door);
    await expect.poll(() => heldBy(door)).toBe(1);
    expect((await seen(door)).executed).toBe(executed);
    expect((await door.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(200);
    expect((await door.control('POST', 'release')).body).toEqual({ released: 1 });
    expect((await held)?.body).toMatchObject({ idempotent_replay: false, refunded_amount_usd: '20.00' });
    expect([(await seen(door)).executed, await heldBy(door)]).toEqual([1, 0]);
  });

  test('a call that was held is carried out although nobody listens any more', async () => {
    const door = await armed({ kind: 'hold' });
    const patience = new AbortController();
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const given = fetch(door.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: patience.signal });
    await expect.poll(() => heldBy(door)).toBe(1);
    patience.abort();
    await expect(given).rejects.toThrow();
    await door.control('POST', 'release');
    await expect.poll(async () => (await seen(door)).executed).toBe(1);
  });

  test.each([
    ['a reset', async (door: Door) => door.reset()],
    ['the end', (door: Door) => door.close()],
  ])('%s cuts what is held and carries none of it out', async (_, end) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'held-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const door = await openDoor({ stateFolder: folder });
    await door.control('POST', 'faults', [{ kind: 'hold', times: 2 }]);
    const held = [refund(door), refund(door)];
    await expect.poll(() => heldBy(door)).toBe(2);
    await end(door);
    expect(await Promise.all(held)).toEqual([null, null]);
    expect((await seen(await openDoor({ stateFolder: folder }))).executed).toBe(0);
  });

  test.each([
    ['html_after', 1],
    ['html', 0],
  ])('%s: 200 and a page, executed %i times', async (kind, executed) => {
    const door = await armed({ kind });
    const answered = await refund(door);
    expect([answered?.status, answered?.text.slice(0, 9)]).toEqual([200, '<!doctype']);
    expect((await seen(door)).executed).toBe(executed);
  });

  test('redirect points away, before or after', async () => {
    const door = await armed({ kind: 'redirect', status: 307 }, { kind: 'redirect', status: 308, when: 'after' });
    expect([(await refund(door))?.status, (await seen(door)).executed]).toEqual([307, 0]);
    expect([(await refund(door))?.status, (await seen(door)).executed]).toEqual([308, 1]);
  });

  test('duplicate is delivered twice, executed once, and the second answer comes back', async () => {
    const door = await armed({ kind: 'duplicate' });
    expect((await refund(door))?.body).toMatchObject({ idempotent_replay: true, refunded_amount_usd: '20.00' });
    expect(await seen(door)).toEqual({ executed: 1, outcomes: [['replayed', 200]] });
  });

  test('contradiction tells another amount, once; the stored receipt is the true one', async () => {
    const door = await armed({ kind: 'contradiction' }, { kind: 'missing_field', path: 'transaction_id' });
    expect((await refund(door))?.body.refunded_amount_usd).toBe('20.01');
    expect((await refund(door))?.body).not.toHaveProperty('transaction_id');
    expect((await refund(door))?.body.refunded_amount_usd).toBe('20.00');
  });
});

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
