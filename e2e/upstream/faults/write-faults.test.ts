import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';

const REFUND = '/api/subscriptions/SUB_1767225600_WITN01AL/refund';
const BODY = { client_request_id: 'k-1', period_seq: 10, amount_usd: '20.00' };

async function armed(...faults: object[]): Promise<TestInvo> {
  const invo = await openInvo();
  expect((await invo.control('POST', 'faults', faults)).status).toBe(200);
  return invo;
}

async function refund(invo: TestInvo): Promise<Answered | null> {
  return invo.post(REFUND, BODY).catch(() => null);
}

async function seen(invo: TestInvo): Promise<{ executed: number; outcomes: (string | number)[][] }> {
  const { refunds, calls } = (await invo.control('GET', 'refunds')).body;
  return {
    executed: refunds.reduce((sum: number, each: Body) => sum + each.executed, 0),
    outcomes: calls.map((call: Body) => [call.outcome, call.status]),
  };
}

async function heldBy(invo: TestInvo): Promise<number> {
  return (await invo.control('GET', 'held')).body.held;
}

async function firstBytes(response: Response): Promise<number> {
  const reader = response.body?.getReader();
  return (await reader?.read())?.value?.length ?? 0;
}

describe('the connection is lost', () => {
  test.each([
    ['drop_before', 0, ['not_executed', 0], false],
    ['reset', 0, ['not_executed', 0], false],
    ['drop_after', 1, ['executed', 0], true],
    ['torn_after', 1, ['executed', 200], true],
  ])('%s: executed %i times by then', async (kind, executed, outcome, isReplayed) => {
    const invo = await armed({ kind });
    expect(await refund(invo)).toBeNull();
    expect(await seen(invo)).toEqual({ executed, outcomes: [outcome] });
    expect((await refund(invo))?.body).toMatchObject({ idempotent_replay: isReplayed, refunded_amount_usd: '20.00' });
    expect((await seen(invo)).executed).toBe(1);
  });

  test('stall sends half an answer and nothing more', async () => {
    const invo = await armed({ kind: 'stall' });
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const caller = new AbortController();
    const response = await fetch(invo.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: caller.signal });
    const [half, promised] = [await firstBytes(response), Number(response.headers.get('content-length'))];
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(promised);
    expect((await seen(invo)).executed).toBe(1);
    caller.abort();
  });
});

describe('the answer is late or replaced', () => {
  test('delay waits before executing, delay_after after executing', async () => {
    const invo = await armed({ kind: 'delay', ms: 120 }, { kind: 'delay_after', ms: 120 });
    for (const clientRequestId of ['k-0', 'k-1']) {
      const before = performance.now();
      expect((await invo.post(REFUND, { ...BODY, client_request_id: clientRequestId, amount_usd: '1.00' })).status).toBe(200);
      expect(performance.now() - before).toBeGreaterThan(115);
    }
    expect((await seen(invo)).executed).toBe(2);
  });

  test.each([
    ['hold', 0],
    ['hold_after', 1],
  ])('%s holds the call until control releases it; executed %i times by then', async (kind, executed) => {
    const invo = await armed({ kind });
    const held = refund(invo);
    await expect.poll(() => heldBy(invo)).toBe(1);
    expect((await seen(invo)).executed).toBe(executed);
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026100001')).status).toBe(200);
    expect((await invo.control('POST', 'release')).body).toEqual({ released: 1 });
    expect((await held)?.body).toMatchObject({ idempotent_replay: false, refunded_amount_usd: '20.00' });
    expect([(await seen(invo)).executed, await heldBy(invo)]).toEqual([1, 0]);
  });

  test('a held call is executed even if its caller has gone', async () => {
    const invo = await armed({ kind: 'hold' });
    const caller = new AbortController();
    const headers = { 'x-game-secret-key': 'upstream-secret' };
    const given = fetch(invo.url + REFUND, { method: 'POST', headers, body: JSON.stringify(BODY), signal: caller.signal });
    await expect.poll(() => heldBy(invo)).toBe(1);
    caller.abort();
    await expect(given).rejects.toThrow();
    await invo.control('POST', 'release');
    await expect.poll(async () => (await seen(invo)).executed).toBe(1);
  });

  test.each([
    ['a reset', async (invo: TestInvo) => invo.reset()],
    ['the end', (invo: TestInvo) => invo.close()],
  ])('%s cuts off held calls and executes none of them', async (_, end) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'held-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const invo = await openInvo({ stateFolder: folder });
    await invo.control('POST', 'faults', [{ kind: 'hold', times: 2 }]);
    const held = [refund(invo), refund(invo)];
    await expect.poll(() => heldBy(invo)).toBe(2);
    await end(invo);
    expect(await Promise.all(held)).toEqual([null, null]);
    expect((await seen(await openInvo({ stateFolder: folder }))).executed).toBe(0);
  });

  test.each([
    ['html_after', 1],
    ['html', 0],
  ])('%s answers 200 with a page; executed %i times', async (kind, executed) => {
    const invo = await armed({ kind });
    const answered = await refund(invo);
    expect([answered?.status, answered?.text.slice(0, 9)]).toEqual([200, '<!doctype']);
    expect((await seen(invo)).executed).toBe(executed);
  });

  test('redirect points elsewhere, before or after executing', async () => {
    const invo = await armed({ kind: 'redirect', status: 307 }, { kind: 'redirect', status: 308, when: 'after' });
    expect([(await refund(invo))?.status, (await seen(invo)).executed]).toEqual([307, 0]);
    expect([(await refund(invo))?.status, (await seen(invo)).executed]).toEqual([308, 1]);
  });

  test('duplicate is delivered twice, executed once, and returns the second answer', async () => {
    const invo = await armed({ kind: 'duplicate' });
    expect((await refund(invo))?.body).toMatchObject({ idempotent_replay: true, refunded_amount_usd: '20.00' });
    expect(await seen(invo)).toEqual({ executed: 1, outcomes: [['replayed', 200]] });
  });

  test('contradiction reports another amount once; the stored receipt is correct', async () => {
    const invo = await armed({ kind: 'contradiction' }, { kind: 'missing_field', path: 'transaction_id' });
    expect((await refund(invo))?.body.refunded_amount_usd).toBe('20.01');
    expect((await refund(invo))?.body).not.toHaveProperty('transaction_id');
    expect((await refund(invo))?.body.refunded_amount_usd).toBe('20.00');
  });
});

describe('the service loses what it answered', () => {
  test('receipt_lost executes, answers 500, and repeats get the reduced body', async () => {
    const invo = await armed({ kind: 'receipt_lost' });
    expect(await refund(invo)).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } });
    const [first, second] = [await refund(invo), await refund(invo)];
    const { refunds } = (await invo.control('GET', 'refunds')).body;
    expect(first?.body).toEqual({ status: 'refunded', transaction_id: refunds[0].transaction_id, note: expect.any(String) });
    expect([first?.status, second?.body]).toEqual([200, first?.body]);
    expect(await seen(invo)).toEqual({
      executed: 1,
      outcomes: [
        ['executed', 500],
        ['reduced', 200],
        ['reduced', 200],
      ],
    });
  });

  test('receipt_lost_conflict executes without an answer, and repeats get a 409 with references and no code', async () => {
    const invo = await armed({ kind: 'receipt_lost_conflict' });
    expect(await refund(invo)).toBeNull();
    const repeated = await refund(invo);
    expect(repeated?.status).toBe(409);
    const { refunds } = (await invo.control('GET', 'refunds')).body;
    expect(repeated?.body).toEqual({
      error: expect.any(String),
      transaction_id: refunds[0].transaction_id,
      order_id: expect.stringMatching(/^ORD_/),
    });
    expect((await seen(invo)).executed).toBe(1);
  });

  test('a lost receipt stays armed through a refused refund', async () => {
    const invo = await armed({ kind: 'receipt_lost' });
    expect((await invo.post(REFUND, { ...BODY, amount_usd: '21.00' })).body.error_code).toBe('AMOUNT_EXCEEDS_REMAINING');
    expect((await refund(invo))?.status).toBe(500);
    expect((await invo.control('GET', 'faults')).body.faults).toEqual([]);
  });

  test('processor_failed_after_card records nothing, and the next call with the key adopts the card refund', async () => {
    const invo = await armed({ kind: 'processor_failed_after_card' });
    expect(await refund(invo)).toMatchObject({
      status: 502,
      body: { error_code: 'PROCESSOR_ERROR', error_code_public: 'PROCESSOR_ERROR' },
    });
    expect(await seen(invo)).toEqual({ executed: 0, outcomes: [['card_refunded_then_failed', 502]] });
    expect((await invo.ask('/api/subscriptions/reporting/periods/2026100001')).body.refunds.refund_count).toBe(0);
    const adopted = await refund(invo);
    expect(adopted?.body).toMatchObject({ idempotent_replay: false, processor_refund_adopted: true, card_refunded_usd: '20.00' });
    expect((await refund(invo))?.body).toMatchObject({ idempotent_replay: true, processor_refund_adopted: true });
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
    ['403', 403, { error: 'This game is neither live nor testing.' }],
    ['404', 404, { error_code: 'SUBSCRIPTION_NOT_FOUND' }],
    ['503', 503, { error_code: 'service_unavailable' }],
  ])('%s is %i without executing, and with `when: after` executes first', async (kind, status, body) => {
    const invo = await armed({ kind }, { kind, when: 'after' });
    const before = await refund(invo);
    expect([before?.status, before?.body]).toEqual([status, expect.objectContaining({ ...body, error_id: expect.any(String) })]);
    expect(await seen(invo)).toMatchObject({ executed: 0 });
    expect((await refund(invo))?.status).toBe(status);
    expect((await seen(invo)).executed).toBe(1);
    expect((await refund(invo))?.body.idempotent_replay).toBe(true);
  });

  test('service_unavailable and paused answer without a code', async () => {
    const invo = await armed({ kind: 'service_unavailable' }, { kind: 'paused' });
    expect(await refund(invo)).toMatchObject({ status: 503, text: '{"status":"service_unavailable"}' });
    expect((await refund(invo))?.body).toEqual({ error: expect.any(String), status: 'paused' });
  });

  test('two_codes names two codes of the contract without executing', async () => {
    const invo = await armed({ kind: 'two_codes' });
    expect(await refund(invo)).toMatchObject({
      status: 502,
      body: { error_code: 'REFUND_LOOKUP_FAILED', error_code_public: 'PROCESSOR_ERROR' },
    });
    expect(await seen(invo)).toMatchObject({ executed: 0 });
  });

  test('refuse answers with any status, code, public code and facts', async () => {
    const invo = await armed({ kind: 'refuse', status: 422, code: 'LATER', codePublic: 'RAIL_DISABLED', facts: { period_status: 'paid' } });
    expect(await refund(invo)).toMatchObject({
      status: 422,
      body: { error_code: 'LATER', error_code_public: 'RAIL_DISABLED', period_status: 'paid' },
    });
  });

  test('a fault matches a call by subscription, key, route or method', async () => {
    const invo = await armed(
      { kind: '500', match: { subscription_id: 'SUB_1767225600_WITN02AL' } },
      { kind: '502', match: { client_request_id: 'k-9' } },
      { kind: '503', match: { route: 'cancel' } },
      { kind: '404', match: { method: 'GET' } },
    );
    expect((await refund(invo))?.status).toBe(200);
    expect((await invo.post(REFUND, { client_request_id: 'k-9' })).status).toBe(502);
    expect((await invo.post('/api/subscriptions/SUB_1767225600_WITN02AL/refund', BODY)).status).toBe(500);
    expect((await invo.post('/api/subscriptions/SUB_1767225600_WITN02AL/cancel')).status).toBe(503);
    expect((await invo.ask('/api/subscriptions/SUB_1767225600_WITN02AL')).status).toBe(404);
    expect((await invo.control('GET', 'faults')).body.faults).toEqual([]);
  });
});
