import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answering, afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { withValue } from '#e2e/support/invo/sample-answers.ts';
import { SAMPLE_SUBSCRIPTION, sampleReceipt, sampleReducedReceipt } from '#e2e/support/invo/sample-support.ts';
import { type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import type { InvoSettings } from '../settings.ts';
import { type RefundAnswer, sendRefund } from './send-refund.ts';

const BODY = Buffer.from('{"client_request_id":"refund-0001", "period_seq":3}\n');
const refund = { subscriptionId: SAMPLE_SUBSCRIPTION, body: BODY };

async function refundAt(answer: Answering, changed: Partial<InvoSettings> = {}): Promise<Talk & { answer: RefundAnswer }> {
  const talk = await talkTo(afterReading(answer), { ...changed, prefix: '/sandbox' });
  return { answer: await sendRefund(talk.invo, refund), ...talk };
}

const saying = async (status: number, body: unknown, headers = {}): Promise<RefundAnswer> =>
  (await refundAt((_request, response) => sendJson(response, status, body, headers))).answer;

describe('a refund', () => {
  it('a refund is one POST of exactly these bytes, on its own connection, reported to the budget and the log', async () => {
    const { answer, server, diary } = await refundAt((_request, response) => sendJson(response, 200, sampleReceipt()));
    expect(server.seen).toHaveLength(1);
    expect(server.bodies).toEqual([BODY]);
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: `/sandbox/api/subscriptions/${SAMPLE_SUBSCRIPTION}/refund` });
    expect(server.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      connection: 'close',
      'x-game-secret-key': 'canary-current-1f9',
    });
    expect(answer).toMatchObject({ phase: 'answered', transportError: null, status: 200, errorCode: null, secret: 'current', facts: {} });
    expect(answer.evidence?.request).toBe(`/sandbox/api/subscriptions/${SAMPLE_SUBSCRIPTION}/refund`);
    expect(diary).toMatchObject({ takes: 1, sleeps: [], blocks: [] });
    expect(diary.log.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { route: { kind: 'refund', subscriptionId: SAMPLE_SUBSCRIPTION }, tries: 1, outcome: 'answered', status: 200 },
    ]);
  });
  it('a refund never shares a connection with another one', async () => {
    const ports = new Set<number | undefined>();
    const { invo } = await talkTo((request, response) => {
      ports.add(request.socket.remotePort);
      sendJson(response, 200, sampleReceipt(), { connection: 'keep-alive' });
    });
    for (let nth = 0; nth < 3; nth++) await sendRefund(invo, refund);
    expect(ports.size).toBe(3);
  });
  it('a refund is not sent twice on a 5xx or a 429, and a 429 pauses the budget', async () => {
    const failed = await refundAt((_request, response) => sendJson(response, 503, { error_code: 'FLOW_PAUSED', error_id: 'err_5' }));
    expect(failed.answer).toMatchObject({
      phase: 'answered',
      transportError: null,
      status: 503,
      errorCode: 'FLOW_PAUSED',
      errorId: 'err_5',
    });
    const limited = await refundAt((_request, response) =>
      sendJson(response, 429, { error_code: 'RATE_LIMITED', retry_after: 9 }, { 'retry-after': '12' }),
    );
    expect(limited.answer).toMatchObject({ errorCode: 'RATE_LIMITED', retryAfterMs: 12_000, facts: { retry_after: '9' } });
    expect(limited.diary).toMatchObject({ blocks: [1_012_000], takes: 1 });
    expect([failed.server.seen.length, limited.server.seen.length]).toEqual([1, 1]);
    expect(limited.diary.log.join()).toContain('"outcome":"rate_limited"');
  });
  it('a refund is not sent when the budget says no, nor for an ID or a body no request can carry', async () => {
    const budget = { take: () => Promise.reject(new Error('no database')), blockUntil: async () => {} };
    const { answer, server } = await refundAt(() => {}, { budget });
    expect(answer).toMatchObject({ phase: 'not_sent', transportError: 'aborted', evidence: null });
    const idle = await talkTo(() => {});
    await expect(sendRefund(idle.invo, { ...refund, subscriptionId: '../x' })).rejects.toThrow('not a subscription id');
    await expect(sendRefund(idle.invo, { ...refund, body: new Uint8Array() })).rejects.toThrow('has a body');
    expect([...server.seen, ...idle.server.seen]).toEqual([]);
  });
  it('the outcome of a refund is returned, whatever the log, the budget or the memory of the secret do', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    const { answer } = await refundAt(
      (request, response) =>
        sendJson(response, request.headers['x-game-secret-key'] === 'canary-previous-7c2' ? 429 : 401, {
          error_code: 'INVALID_GAME_SECRET',
        }),
      {
        log: broken,
        secretMemory: { find: broken, record: broken },
        budget: { take: async () => {}, blockUntil: () => Promise.reject(new Error('broken')) },
      },
    );
    expect(answer).toMatchObject({ phase: 'answered', status: 429, secret: 'previous' });
  });
});

describe('a 200', () => {
  it('a 200 is read as a receipt, with null where nothing was recorded', async () => {
    expect((await saying(200, sampleReceipt())).receipt).toEqual(sampleReceipt());
    const bare = {
      status: 'refunded',
      transaction_id: 991,
      subscription_id: SAMPLE_SUBSCRIPTION,
      period_seq: 3,
      refunded_amount_usd: '4.00',
    };
    expect((await saying(200, bare)).receipt).toMatchObject({
      transaction_id: '991',
      card_refunded_usd: null,
      revenue_share_attribution: null,
    });
  });
  it('a gzipped 200 is read too, and its evidence stays gzipped', async () => {
    const packed = gzipSync(JSON.stringify(sampleReceipt()));
    const { answer } = await refundAt((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
    );
    expect(answer.receipt?.refunded_amount_usd).toBe('4.00');
    expect(answer.evidence?.received).toEqual(packed);
  });
  it.each([
    ['card_refunded_usd', 4, { card_refunded_usd: null }],
    ['balance_delta_coins', '1e3', { balance_delta_coins: null }],
    ['refunded_at', 'yesterday', { refunded_at: null }],
    ['revenue_share_attribution.percent', {}, { revenue_share_attribution: { percent: null } }],
    ['revenue_share_attribution.settled_by_invo', true, { revenue_share_attribution: null }],
  ])('a 200 with %s %j is still a receipt, without that field', async (path, value, rest) => {
    const answer = await saying(200, withValue(sampleReceipt(), path, value));
    expect(answer).toMatchObject({ unreadable: null, receipt: { refunded_amount_usd: '4.00', ...rest } });
    expect(answer.evidence).not.toBeNull();
  });
  it('a 200 for a lost receipt is read as the reduced body', async () => {
    expect(await saying(200, sampleReducedReceipt())).toMatchObject({
      receipt: null,
      reduced: { transaction_id: 'TX_R1', note: 'This refund was already processed.' },
      unreadable: null,
      facts: { transaction_id: 'TX_R1' },
    });
    expect((await saying(200, { transaction_id: 991, refunded_amount_usd: null })).reduced).toEqual({
      transaction_id: '991',
      note: null,
      client_request_id: null,
      period_seq: null,
    });
    expect((await saying(200, { transaction_id: 'T', client_request_id: 'k', period_seq: 4 })).reduced).toMatchObject({
      client_request_id: 'k',
      period_seq: 4,
    });
  });

  it.each(['pending', 'failed', 'requires_action', 7])('a 200 with status %j and no amounts is no receipt', async (status) => {
    expect(await saying(200, { status, transaction_id: 'T' })).toMatchObject({ reduced: null, unreadable: { path: 'status' } });
  });

  it('a 200 with an error code beside the transaction is no receipt', async () => {
    const answer = await saying(200, { error_code: 'PROCESSOR_ERROR', transaction_id: 'T' });
    expect(answer).toMatchObject({ reduced: null, unreadable: { path: 'error_code' } });
  });
  it.each([
    ['status', 'success', 'status'],
    ['transaction_id', undefined, 'transaction_id'],
    ['transaction_id', 1.5, 'transaction_id'],
    ['subscription_id', undefined, 'subscription_id'],
    ['period_seq', undefined, 'period_seq'],
    ['period_seq', 2 ** 53, 'period_seq'],
    ['refunded_amount_usd', 4, 'refunded_amount_usd'],
    ['refunded_amount_usd', 'NaN', 'refunded_amount_usd'],
    ['total_refunded_amount_usd', 4, 'total_refunded_amount_usd'],
    ['remaining_refundable_usd', '1e3', 'remaining_refundable_usd'],
  ])('a 200 with %s %j is malformed and names the field', async (path, value, index) => {
    const answer = await saying(200, withValue(sampleReceipt(), path, value));
    expect(answer).toMatchObject({ phase: 'answered', receipt: null, reduced: null, unreadable: { path: index } });
    expect(answer.evidence).not.toBeNull();
  });
  it('a reduced body about another subscription, without an ID, or under a 201 is malformed', async () => {
    const other = { ...(sampleReducedReceipt() as object), subscription_id: 'SUB_2' };
    expect(await saying(200, other)).toMatchObject({ reduced: null, unreadable: { path: 'subscription_id' } });
    expect(await saying(200, { transaction_id: 1.5 })).toMatchObject({ reduced: null, unreadable: { path: 'transaction_id' } });
    expect(await saying(200, {})).toMatchObject({ reduced: null, unreadable: { path: 'status' } });
    expect(await saying(201, sampleReducedReceipt())).toMatchObject({ receipt: null, reduced: null });
  });
  it('a whole receipt under another 2xx is still a receipt', async () => {
    expect((await saying(201, sampleReceipt())).receipt).not.toBeNull();
  });
  it('a 200 above 64 KiB is read, and its first 64 KiB become evidence with the digest of the whole', async () => {
    const { receipt, evidence } = await saying(200, { ...(sampleReceipt() as object), padding: 'x'.repeat(100_000) });
    expect(receipt).not.toBeNull();
    expect(evidence?.received.length).toBe(65_536);
    expect(evidence?.inflatedBytes).toBeGreaterThan(100_000);
  });
});

describe('a refusal', () => {
  it.each([
    [
      400,
      { error_code: 'AMOUNT_EXCEEDS_REMAINING', remaining_refundable_usd: '2.20', already_refunded_usd: '17.80' },
      { already_refunded_usd: '17.80', remaining_refundable_usd: '2.20' },
    ],
    [409, { error_code: 'ALREADY_REFUNDED', refunded_amount_usd: '20.00', amount_usd: 20 }, { refunded_amount_usd: '20.00' }],
    [409, { error_code: 'PERIOD_NOT_REFUNDABLE', period_status: 'pending' }, { period_status: 'pending' }],
    [404, { error_code: 'PERIOD_NOT_FOUND', player_email: 'ada@example.test' }, {}],
  ])('a refusal with %i %j is read', async (status, body, facts) => {
    const answer = await saying(status, { error: 'no', error_id: 'err_1', ...body });
    expect(answer).toMatchObject({
      phase: 'answered',
      transportError: null,
      status,
      errorCode: body.error_code,
      errorId: 'err_1',
      receipt: null,
    });
    expect(answer.facts).toEqual(facts);
  });
  it('a refusal has the public code before the older one, else status or error where they are codes', async () => {
    const both = await saying(502, { error_code: 'X', error_code_public: 'PROCESSOR_ERROR' });
    expect(both).toMatchObject({ errorCode: 'PROCESSOR_ERROR', facts: { error_code: 'X' } });
    expect((await saying(502, { error_code: 'X', error_code_public: 'X' })).facts).toEqual({});
    expect((await saying(503, { status: 'service_unavailable' })).errorCode).toBe('service_unavailable');
    expect((await saying(429, { error: 'rate_limit_exceeded' })).errorCode).toBe('rate_limit_exceeded');
    expect((await saying(400, { error: 'SPENDING_LIMIT_EXCEEDED' })).errorCode).toBe('SPENDING_LIMIT_EXCEEDED');
    expect((await saying(409, { error: 'What a pity.' })).errorCode).toBeNull();
  });
  it.each(['Conflict', 'conflict', 'ERROR', 'Not_Found', 'failed_'])('a refusal whose error says %s has no code', async (word) => {
    const answer = await saying(409, { error: word, transaction_id: 991, order_id: 'OR_1' });
    expect(answer).toMatchObject({ errorCode: null, facts: { transaction_id: '991' } });
    expect((await saying(409, { status: word })).errorCode).toBeNull();
  });
  it('a refusal of a request in flight is read from its status', async () => {
    expect(await saying(409, { status: 'pending', duplicate: true })).toMatchObject({ errorCode: 'pending', facts: { duplicate: 'true' } });
    expect((await saying(409, { error: 'pending' })).errorCode).toBeNull();
  });
  it('a refusal that repeats an executed key names the transaction and the order, and no code', async () => {
    const answer = await saying(409, { status: 'success', transaction_id: 991, order_id: 'OR_1' });
    expect(answer).toMatchObject({ phase: 'answered', errorCode: null, reduced: null, receipt: null, unreadable: null });
    expect(answer.facts).toMatchObject({ transaction_id: '991', order_id: 'OR_1' });
  });
});

describe('the secret of a refund', () => {
  it('a refund falls back to the previous secret after a 401, once, with the same bytes', async () => {
    const { answer, server, diary } = await refundAt((_request, response, nth) =>
      nth === 1 ? sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }) : sendJson(response, 200, sampleReceipt()),
    );
    expect(answer).toMatchObject({ status: 200, secret: 'previous' });
    expect(server.bodies).toEqual([BODY, BODY]);
    expect(server.seen.map(({ headers }) => headers['x-game-secret-key'])).toEqual(['canary-current-1f9', 'canary-previous-7c2']);
    expect(diary).toMatchObject({ takes: 2, previousUsed: 1 });
  });
  it('a refund is not tried a third time when both secrets are refused', async () => {
    const { answer, server, diary } = await refundAt((_request, response) =>
      sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }),
    );
    expect(answer).toMatchObject({ phase: 'answered', status: 401, errorCode: 'INVALID_GAME_SECRET', secret: 'previous' });
    expect(server.seen).toHaveLength(2);
    expect(diary.previousUsed).toBe(0);
  });
  it('a 401 about something else changes no secret, and a broken connection confirms none', async () => {
    const other = await refundAt((_request, response) => sendJson(response, 401, { error_code: 'PROCESSOR_ERROR' }));
    expect(other.server.seen).toHaveLength(1);
    const torn = await refundAt((request, response, nth) =>
      nth === 1 ? sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' }) : request.socket.resetAndDestroy(),
    );
    expect(torn.answer).toMatchObject({ phase: 'sent', transportError: 'unreachable', secret: 'previous' });
    expect(torn.diary.previousUsed).toBe(0);
  });
  it.each(['canary-current-1f9', '\\u0063anary-previous-7c2'])(
    'an answer that repeats the secret (%s) loses its bytes, not its amounts',
    async (secret) => {
      const text = JSON.stringify({ ...(sampleReceipt() as object), reason: 'SECRET', processor_refund_reference: 'PR_1' }).replace(
        'SECRET',
        secret,
      );
      const { answer, diary } = await refundAt((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      );
      expect(answer).toMatchObject({
        receipt: { refunded_amount_usd: '4.00', reason: null, processor_refund_reference: 'PR_1' },
        evidence: null,
      });
      expect([inspect(answer, { depth: 9 }), ...diary.log].join()).not.toContain('canary');
    },
  );
  it('a refusal that repeats the secret is reduced to a code the contract names', async () => {
    const secret = 'canary-current-1f9';
    const answer = await saying(409, { error_code: 'ALREADY_REFUNDED', note: secret, [secret]: 1, error_id: secret });
    expect(answer).toMatchObject({ errorCode: 'ALREADY_REFUNDED', errorId: null, facts: {}, evidence: null });
    expect((await saying(409, { error_code: 'canary_current_1f9', note: secret })).errorCode).toBeNull();
  });
});
