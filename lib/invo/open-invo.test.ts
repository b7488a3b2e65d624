import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Answering, sendJson, sendSample } from '#e2e/support/invo/canned-server.ts';
import { sampleCycles, samplePeriodReport, sampleReport, sampleWindow, withValue } from '#e2e/support/invo/sample-answers.ts';
import { type Diary, failureOf, memoryIn, newDiary, talkTo } from '#e2e/support/invo/talk-to.ts';
import { readAttributionReport } from './routes/attribution-report.ts';
import { readPeriodReport } from './routes/period-report.ts';
import { readSubscriptionReport } from './routes/subscription-report.ts';

describe('a call', () => {
  it('a call sends typed values, Z instants and the secret in its header only, below the prefix of the base URL', async () => {
    const { invo, server } = await talkTo(
      (_request, response) => sendJson(response, 200, withValue(sampleReport(), 'pagination.offset', 100)),
      { prefix: '/sandbox/' },
    );
    await readAttributionReport(invo, { start: '2026-03-01T02:00:00+02:00', end: '2026-04-01', limit: 100, offset: 100 });
    const [request] = server.seen;
    expect(request?.url).toBe(
      '/sandbox/api/subscriptions/reporting/attribution?start=2026-03-01T00%3A00%3A00Z&end=2026-04-01T00%3A00%3A00Z&limit=100&offset=100',
    );
    expect(request?.method).toBe('GET');
    expect(request?.headers).toMatchObject({
      'x-game-secret-key': 'canary-current-1f9',
      accept: 'application/json',
      'accept-encoding': 'gzip',
    });
  });

  it('a call returns the bytes as received and hashes the inflated ones', async () => {
    const body = Buffer.from(JSON.stringify(sampleReport()));
    const packed = gzipSync(body);
    const { invo } = await talkTo((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' }).end(packed),
    );
    const { value, evidence } = await readAttributionReport(invo, sampleWindow);
    expect(value.totals.net_attributed_usd).toBe('0.675');
    expect(evidence.received.equals(packed)).toBe(true);
    expect(evidence).toMatchObject({
      status: 200,
      contentEncoding: 'gzip',
      inflatedBytes: body.length,
      receivedAt: '1970-01-01T00:16:40.000Z',
    });
    expect(evidence.sha256).toBe((await import('node:crypto')).hash('sha256', body));
    expect(evidence.request).toMatch(/^\/api\/subscriptions\/reporting\/attribution\?start=/);
  });

  it('cycles and periods are read from the detail routes', async () => {
    const { invo, server } = await talkTo((request, response) =>
      sendJson(response, 200, request.url?.includes('/periods/') ? samplePeriodReport() : sampleCycles()),
    );
    await readSubscriptionReport(invo, 'SUB_1767225600_AAAAAAAA', { status: ['paid', 'refunded'], limit: 50 });
    await readPeriodReport(invo, 7001);
    expect(server.seen.map((request) => request.url)).toEqual([
      '/api/subscriptions/reporting/subscriptions/SUB_1767225600_AAAAAAAA/attribution?status=paid%2Crefunded&limit=50',
      '/api/subscriptions/reporting/periods/7001',
    ]);
  });

  it('no call is made for an ID that would lead to another route', async () => {
    const { invo, server } = await talkTo((_request, response) => sendSample(response));
    for (const id of ['..', '.', '', 'a/b', 'a?b', 'x'.repeat(51)])
      expect(() => readSubscriptionReport(invo, id)).toThrow('not a subscription id');
    expect(() => readPeriodReport(invo, 1.5)).toThrow('not a period id');
    expect(server.seen).toHaveLength(0);
  });

  it('an answer to another request is refused, its body becomes evidence, and nothing is sent again', async () => {
    const { invo, server } = await talkTo((_request, response) => sendJson(response, 200, withValue(sampleReport(), 'report.game_id', 78)));
    const error = await failureOf(readAttributionReport(invo, sampleWindow));
    expect(error).toMatchObject({ code: 'malformed', path: 'report.game_id', isRetryable: false, status: 200 });
    expect(error.evidence?.inflatedBytes).toBeGreaterThan(1_000);
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toMatch(/received|sha256/);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each([
    [403, { error: 'not live', error_id: 'err_9' }, { code: 'not_live', errorCode: null, errorId: 'err_9' }],
    [
      403,
      { error: 'no', error_code: 'GAME_ON_FIRE', error_id: 'err_9' },
      { code: 'rejected', errorCode: 'GAME_ON_FIRE', errorId: 'err_9' },
    ],
    [404, { error_code: 'PERIOD_NOT_FOUND' }, { code: 'not_found', errorCode: 'PERIOD_NOT_FOUND' }],
    [
      400,
      { error_code: 'WINDOW_TOO_LARGE', settled_renewals: 20_400, max_renewals: 20_000 },
      { code: 'window_too_large', facts: { settled_renewals: 20_400, max_renewals: 20_000 } },
    ],
    [
      400,
      { error_code: 'WINDOW_TOO_LARGE', reversals: 20_001, max_rows: 20_000 },
      { code: 'window_too_large', facts: { reversals: 20_001, max_rows: 20_000 } },
    ],
    [400, { error_code: 'OLD', error_code_public: 'STATUS_INVALID' }, { code: 'rejected', errorCode: 'STATUS_INVALID' }],
    [400, { status: 'still_requires_action' }, { code: 'rejected', errorCode: 'still_requires_action' }],
    [422, 'not an object', { code: 'rejected', errorCode: null }],
  ])('a refusal with %i %j is parsed and not retried', async (status, body, expected) => {
    const { invo, server } = await talkTo((_request, response) => sendJson(response, status, body));
    const error = await failureOf(readPeriodReport(invo, 7001));
    expect(error).toMatchObject({ status, isRetryable: false, ...expected });
    expect(error.evidence?.status).toBe(status);
    expect(server.seen).toHaveLength(1);
  });
});

describe('retries and aborts', () => {
  it('the client waits as long as a 429 says, reports it to the budget, and continues', async () => {
    const { invo, diary } = await talkTo((_request, response, nth) => {
      if (nth > 1) return sendSample(response);
      sendJson(response, 429, { error: 'rate_limit_exceeded', retry_after: 9 }, { 'retry-after': '12' });
    });
    await readAttributionReport(invo, sampleWindow);
    expect(diary).toMatchObject({ sleeps: [12_000], blocks: [1_012_000], takes: 2 });
    expect(JSON.parse(diary.log[0] ?? '')).toMatchObject({
      outcome: 'rate_limited',
      waitMs: 12_000,
      tries: 1,
      errorCode: 'rate_limit_exceeded',
    });
    expect(JSON.parse(diary.log[1] ?? '')).toMatchObject({ outcome: 'answered', waitMs: null, tries: 2, status: 200 });
  });
  it('the client tries a failing Invo six times and takes one call from the budget for each', async () => {
    const { invo, server, diary } = await talkTo((_request, response) =>
      sendJson(response, 500, { error_code: 'INTERNAL_ERROR', error_id: 'err_5' }),
    );
    expect(await failureOf(readAttributionReport(invo, sampleWindow))).toMatchObject({
      code: 'upstream_fault',
      errorId: 'err_5',
      isRetryable: true,
    });
    expect(server.seen).toHaveLength(6);
    expect(diary).toMatchObject({ takes: 6, sleeps: [500, 1_000, 2_000, 4_000, 8_000], blocks: [] });
  });
  it('a call can be aborted while it waits for Invo, and before it starts', async () => {
    const stop = new AbortController();
    const { invo, server } = await talkTo(() => stop.abort());
    expect(await failureOf(readAttributionReport(invo, sampleWindow, stop.signal))).toMatchObject({ code: 'aborted', isRetryable: false });
    expect(await failureOf(readAttributionReport(invo, sampleWindow, AbortSignal.abort()))).toMatchObject({ code: 'aborted' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('the secret', () => {
  const onlyPrevious: Answering = (request, response) => {
    if (request.headers['x-game-secret-key'] === 'canary-previous-7c2') return sendSample(response);
    sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' });
  };
  it('the client falls back to the previous secret once, reports it once, and continues with the one that worked', async () => {
    const { invo, server, diary } = await talkTo(onlyPrevious);
    await readAttributionReport(invo, sampleWindow);
    await readAttributionReport(invo, sampleWindow);
    expect(server.seen.map((request) => request.headers['x-game-secret-key'])).toEqual([
      'canary-current-1f9',
      'canary-previous-7c2',
      'canary-previous-7c2',
    ]);
    expect(diary).toMatchObject({ previousUsed: 1, takes: 3 });
  });
  it('the client returns to the current secret when the previous one ends', async () => {
    let working = 'canary-previous-7c2';
    const { invo, server, diary } = await talkTo((request, response) => {
      if (request.headers['x-game-secret-key'] === working) return sendSample(response);
      sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' });
    });
    await readAttributionReport(invo, sampleWindow);
    working = 'canary-current-1f9';
    await readAttributionReport(invo, sampleWindow);
    expect(server.seen).toHaveLength(4);
    expect(diary.previousUsed).toBe(1);
  });
  it('a client starts with the secret that worked last for any process, and returns to the current one when the previous one ends', async () => {
    let working = 'canary-previous-7c2';
    const diary: Diary = { ...newDiary(), secret: 'previous' };
    const { invo, server } = await talkTo(
      (request, response) => {
        if (request.headers['x-game-secret-key'] === working) return sendSample(response);
        sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' });
      },
      { secretMemory: memoryIn(diary) },
    );
    await readAttributionReport(invo, sampleWindow);
    expect(server.seen.map((request) => request.headers['x-game-secret-key'])).toEqual(['canary-previous-7c2']);
    expect(diary).toMatchObject({ previousUsed: 0, secret: 'previous' });
    working = 'canary-current-1f9';
    await readAttributionReport(invo, sampleWindow);
    expect([server.seen.length, diary.secret]).toEqual([3, 'current']);
  });
  it.each([
    ['works again', 'canary-current-1f9', 1, 'current', 0],
    ['is still refused', 'canary-previous-7c2', 2, 'previous', 1],
  ])('when the previous secret was needed long ago, the current one is tried: it %s', async (_, working, calls, secret, previousUsed) => {
    const diary: Diary = { ...newDiary(), secret: 'previous_long_ago' };
    const { invo, server } = await talkTo(
      (request, response) => {
        if (request.headers['x-game-secret-key'] === working) return sendSample(response);
        sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET' });
      },
      { secretMemory: memoryIn(diary) },
    );
    await readAttributionReport(invo, sampleWindow);
    await readAttributionReport(invo, sampleWindow);
    expect(server.seen).toHaveLength(calls + 1);
    expect(diary).toMatchObject({ secret, previousUsed });
  });
  it('when both secrets are refused, no further request is sent', async () => {
    const { invo, server, diary } = await talkTo((_request, response) =>
      sendJson(response, 401, { error_code: 'INVALID_GAME_SECRET', error_id: 'err_1' }),
    );
    expect(await failureOf(readAttributionReport(invo, sampleWindow))).toMatchObject({
      code: 'unauthorized',
      errorId: 'err_1',
      isRetryable: false,
    });
    expect(server.seen).toHaveLength(2);
    expect(diary.previousUsed).toBe(0);
  });
  it('the secret is in no error, no log line and no printed client, even when Invo repeats it', async () => {
    const { invo, diary } = await talkTo((request, response) => {
      const secret = String(request.headers['x-game-secret-key']);
      sendJson(response, 400, { error: secret, error_code: secret.replaceAll('-', '_'), error_id: secret, note: secret, [secret]: 1 });
    });
    const error = await failureOf(readAttributionReport(invo, sampleWindow));
    const printed = [
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      error.stack,
      String(error.cause),
      inspect(invo, { depth: 9, showHidden: true }),
      ...diary.log,
    ];
    expect(printed.join('\n')).not.toMatch(/canary/);
  });
  it('the secret is in no error when Invo can’t be reached', async () => {
    const { invo, server, diary } = await talkTo(() => {});
    await server.close();
    const error = await failureOf(readAttributionReport(invo, sampleWindow));
    expect(error).toMatchObject({ code: 'unreachable', facts: { system_code: 'ECONNREFUSED' } });
    expect([inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), ...diary.log].join('\n')).not.toMatch(/canary/);
  });
});
