import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { type Answering, afterReading, sendJson, startRawServer, startSocketServer } from '#e2e/support/invo/canned-server.ts';
import { type Diary, newDiary, patientSettings, type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import { ExactNumber } from '#lib/core/exact-json.ts';
import type { ActionWrite, ActionWriteResult } from '../invo.ts';
import { openInvo } from '../open-invo.ts';
import { readOrder } from '../undocumented/orders.ts';

const TOKEN = 'canary-token-of-a-player-5d1';
const JSON_TYPE = { 'content-type': 'application/json' };

function actionOf(changed: Partial<ActionWrite> = {}): ActionWrite {
  return {
    route: { kind: 'other' },
    family: 'transfer_start',
    path: '/api/transfers/initiate-transfer',
    body: Buffer.from('{"amount":"25.00","client_request_id":"sharebook-1"}'),
    keep: 'answer',
    sentBy: 'press',
    signal: undefined,
    ...changed,
  };
}

/** Sends one action to a server that answers as the test says. */
async function act(answer: Answering, changed: Partial<ActionWrite> = {}): Promise<Talk & { result: ActionWriteResult }> {
  const talk = await talkTo(answer);
  return { ...talk, result: await talk.invo.writeAction(actionOf(changed)) };
}

const answering = (status: number, body: unknown): Answering => afterReading((_request, response) => sendJson(response, status, body));

describe('a request carries one credential', () => {
  /** The head of the request, as it left. */
  async function headOf(changed: Partial<ActionWrite>): Promise<string> {
    const server = await startRawServer('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}', 'end');
    await openInvo(patientSettings(server.url, newDiary())).writeAction(actionOf(changed));
    return Buffer.concat(server.bodies).toString().toLowerCase();
  }
  it('the game’s secret and no token, and the body byte for byte', async () => {
    const head = await headOf({});
    expect(head).toContain('\r\nx-game-secret-key: canary-current-1f9\r\n');
    expect(head).not.toContain('authorization');
    expect(head.endsWith('\r\n\r\n{"amount":"25.00","client_request_id":"sharebook-1"}')).toBe(true);
  });
  it('a player’s token and no secret', async () => {
    const head = await headOf({ token: TOKEN });
    expect(head).toContain(`\r\nauthorization: bearer ${TOKEN}\r\n`);
    expect(head).not.toMatch(/x-game-secret|canary-current|canary-previous/);
  });
  it('an empty body as none, without a type', async () => {
    const head = await headOf({ token: TOKEN, body: Buffer.alloc(0) });
    expect(head).toContain('\r\ncontent-length: 0\r\n');
    expect(head).not.toContain('content-type');
  });
  it('on a read too', async () => {
    const server = await startRawServer('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}', 'end');
    const invo = openInvo(patientSettings(server.url, newDiary()));
    const question = { route: { kind: 'loyalty' as const }, path: '/api/x', signal: undefined };
    await invo.ask({ ...question, token: TOKEN, read: () => ({ isSound: true, value: null }) });
    expect(Buffer.concat(server.bodies).toString()).toContain(`Authorization: Bearer ${TOKEN}`);
    expect(Buffer.concat(server.bodies).toString()).not.toMatch(/x-game-secret/i);
  });
  it.each([`${TOKEN}\r\nX-Game-Secret-Key: x`, 'short', `${TOKEN} ${TOKEN}`])(
    'a text that is no token is never sent: %j',
    async (token) => {
      const { invo, server } = await talkTo(answering(200, {}));
      const error = await invo.writeAction(actionOf({ token })).catch((thrown: unknown) => thrown);
      expect(String(error)).toBe('Error: not a player token');
      expect(server.seen).toHaveLength(0);
    },
  );
});

describe('a refused credential', () => {
  it('of the game is tried once more with the other secret, which then comes first', async () => {
    const { result, server, diary } = await act(
      afterReading((request, response) => {
        if (request.headers['x-game-secret-key'] === 'canary-previous-7c2') return sendJson(response, 201, { transaction_id: 'TX_1' });
        sendJson(response, 401, { code: 'invalid_game_secret' });
      }),
    );
    expect(result).toMatchObject({ phase: 'answered', status: 201, secret: 'previous', json: { transaction_id: 'TX_1' } });
    expect([server.seen.length, diary.secret]).toEqual([2, 'previous']);
  });
  it('of the game is not tried again when Invo names another reason', async () => {
    const { result, server } = await act(answering(401, { error_code: 'INVALID_GAME_SECRET', code: 'ACCOUNT_LOCKED' }));
    expect([server.seen.length, result.codes]).toEqual([1, ['INVALID_GAME_SECRET', 'ACCOUNT_LOCKED']]);
  });
  it.each([{}, { error_code: 'INVALID_GAME_SECRET' }, { code: 'SDK_TOKEN_MALFORMED' }])(
    'of a player is not tried again and says nothing about the secrets: 401 with %j',
    async (body) => {
      const { result, server, diary, invo } = await act(answering(401, body), { token: TOKEN, family: 'approve' });
      expect(result).toMatchObject({ phase: 'answered', status: 401, secret: null });
      expect([server.seen.length, diary.secret, diary.previousUsed]).toEqual([1, 'current', 0]);
      const read = { route: { kind: 'other' as const }, path: '/api/x', token: TOKEN, signal: undefined };
      const error = await invo.ask({ ...read, read: () => ({ isSound: true, value: null }) }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'unauthorized' });
      expect([server.seen.length, diary.secret, diary.previousUsed]).toEqual([2, 'current', 0]);
      await readOrder(invo, 'currency', 'ORD_1').catch(() => null);
      expect(server.seen.at(-2)?.headers['x-game-secret-key'], 'the next call of the game').toBe('canary-current-1f9');
    },
  );
});

describe('how far an action got', () => {
  it('not one byte left when nothing listens', async () => {
    const { server, invo } = await talkTo(() => {});
    await server.close();
    expect(await invo.writeAction(actionOf())).toMatchObject({ phase: 'not_sent', transportError: 'unreachable', status: null, codes: [] });
  });
  it.each([
    ['is cut', (({ socket }) => socket.destroy()) satisfies Answering, 'unreachable', null],
    ['is a list', answering(201, []), 'malformed', 201],
    [
      'is a page',
      afterReading((_request, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>')),
      'upstream_fault',
      502,
    ],
    ['is a redirect', afterReading((_request, response) => response.writeHead(307, { location: '/x' }).end()), 'redirected', 307],
  ] as [string, Answering, string, number | null][])(
    'it may have been executed when the answer %s',
    async (_, answer, transportError, status) => {
      const { result, server } = await act(answer);
      expect(result).toMatchObject({ phase: 'sent', transportError, status, codes: [], json: null, evidence: null });
      expect(server.seen).toHaveLength(1);
    },
  );
  it('a person waits for a shorter time than the worker', async () => {
    const server = await startSocketServer(() => {});
    const send = (sentBy: ActionWrite['sentBy'], diary: Diary = newDiary()): Promise<ActionWriteResult> =>
      openInvo(patientSettings(server.url, diary, { pressMs: 60 })).writeAction(actionOf({ sentBy }));
    expect(await send('press')).toMatchObject({ phase: 'sent', transportError: 'timeout' });
    const worker = send('worker');
    expect(await Promise.race([worker, setTimeout(120, 'waiting')])).toBe('waiting');
    await server.close();
    expect(await worker).toMatchObject({ phase: 'sent', transportError: 'unreachable' });
  });
});

describe('what an answer says', () => {
  it('its codes from all six fields, the one that promises least first', async () => {
    const { result } = await act(
      answering(409, {
        error_code_public: 'TRANSACTION_NOT_PENDING',
        error_code: 'INVALID_INPUT',
        code: 'TRANSFER_APPROVE_FAILED',
        error: 'GUARDIAN_APPROVAL_PENDING',
        status: 'never_heard_of',
        reason: 'not_transfer_sender',
      }),
      { family: 'approve' },
    );
    expect(result.codes).toEqual([
      'TRANSFER_APPROVE_FAILED',
      'GUARDIAN_APPROVAL_PENDING',
      'TRANSACTION_NOT_PENDING',
      'INVALID_INPUT',
      'not_transfer_sender',
      'never_heard_of',
    ]);
    expect(result.errorCode).toBe('TRANSFER_APPROVE_FAILED');
  });
  it('a code in `code` on a 202, and on no other success', async () => {
    const [held, approved] = [answering(202, { code: 'GUARDIAN_APPROVAL_PENDING' }), answering(200, { code: 'GUARDIAN_APPROVAL_PENDING' })];
    expect((await act(held, { family: 'approve' })).result.codes).toEqual(['GUARDIAN_APPROVAL_PENDING']);
    expect((await act(approved, { family: 'approve' })).result.codes).toEqual([]);
  });
  it.each([
    [{ error_id: 'err_1', error_ref: 'ref_1' }, 'err_1'],
    [{ error_ref: 'ref_1' }, 'ref_1'],
  ])('the reference to quote from %j', async (body, errorId) => {
    expect((await act(answering(400, body))).result.errorId).toBe(errorId);
  });
  it('exact numbers, as Invo wrote them', async () => {
    const { result } = await act(
      afterReading((_request, response) =>
        response.writeHead(201, JSON_TYPE).end('{"new_balance":12.00,"transaction_id":123456789012345678901}'),
      ),
    );
    expect(result.json).toEqual({ new_balance: new ExactNumber('12.00'), transaction_id: new ExactNumber('123456789012345678901') });
    expect(result.evidence?.received.toString()).toBe('{"new_balance":12.00,"transaction_id":123456789012345678901}');
  });
  it('what explains a refusal, without a phone, an email, a name or a link', async () => {
    const { result } = await act(
      answering(409, {
        error_code: 'PCSTORE_VALUE_NON_TRANSFERABLE',
        message: 'At most 40.00 for ana@players.example, see https://invo.example/x?token=1 or call +49 151 12345678',
        transferable_max: '40.00',
        phone: '+4915112345678',
        requesting_email: 'ana@players.example',
        player_name: 'Ana',
        receipt_at: 'https://invo.example/r?token=1',
        otp: '482913',
        payment_method_id: 'pm_1',
        retry_after_seconds: 7,
      }),
    );
    expect(result).toMatchObject({ prose: 'At most 40.00 for • see • or call •', retryAfterMs: 7_000 });
    expect(result.facts).toEqual({
      transferable_max: '40.00',
      retry_after_seconds: 7,
    });
  });
  it('neither facts nor prose of a success', async () => {
    const { facts, prose } = (await act(answering(200, { message: 'Approved at once', claim: 'canary' }))).result;
    expect([facts, prose]).toEqual([{}, null]);
  });
});

describe('what is stored of an answer', () => {
  const SECRETS = {
    claim_code: 'canary-claim',
    client_secret: 'canary-client',
    client_side_key: 'canary-key',
    test_code: 'canary-test',
    checkout_url: 'https://pay.example/?t=canary',
  };
  it('its fields without secrets, emails, phones and names, under their own digest', async () => {
    const { result } = await act(
      answering(200, { ...SECRETS, order_id: 'ORD_1', player_email: 'ana@players.example', player_name: 'Ana' }),
    );
    expect(JSON.parse(result.evidence?.received.toString() ?? '')).toEqual({ order_id: 'ORD_1', player_email: 'a•••@p•••.example' });
    expect(result.json).toMatchObject(SECRETS);
  });
  it('nothing where an answer may hold a secret', async () => {
    const { result } = await act(answering(200, { ...SECRETS, order_id: 'ORD_1' }), { keep: 'nothing' });
    expect(result).toMatchObject({ evidence: null, json: { order_id: 'ORD_1', claim_code: 'canary-claim' } });
  });
  it.each([
    ['the token', { token: TOKEN }, TOKEN],
    ['the secret', {}, 'canary-current-1f9'],
    ['a code that was typed', { body: Buffer.from('{"claim_code":"canary-typed-1"}') }, 'canary-typed-1'],
    ['the code of a grant', { body: Buffer.from('{"device_code":"canary-grant-1"}') }, 'canary-grant-1'],
  ])('nothing that repeats %s, and only documented codes', async (_, changed: Partial<ActionWrite>, secret) => {
    const body = {
      error: `Bad ${secret}`,
      code: 'BRAND_NEW',
      error_code: 'flow_paused',
      note: secret,
      nested: { [secret]: 1 },
      id: 'TX_1',
    };
    const { result, diary } = await act(answering(503, body), changed);
    expect(result).toMatchObject({ evidence: null, prose: null, facts: {}, codes: ['flow_paused'], json: { id: 'TX_1' } });
    expect(JSON.stringify([result, diary.log])).not.toContain(secret);
  });
});

test('a body that is no JSON is not sent, and not repeated', async () => {
  const { invo, server } = await talkTo(answering(200, {}));
  const error = await invo.writeAction(actionOf({ body: Buffer.from('canary') })).catch((thrown: unknown) => thrown);
  expect([String(error), server.seen.length]).toEqual(['Error: the body of a desk action is JSON', 0]);
});

describe('a 429', () => {
  const blocksOf = async (body: object, changed: Partial<ActionWrite>): Promise<unknown[]> => {
    const blocked: unknown[] = [];
    const budget = {
      take: () => Promise.reject(new Error('taken before')),
      blockUntil: async (...given: unknown[]) => void blocked.push(given),
    };
    const { invo } = await talkTo(answering(429, body), { budget });
    await invo.writeAction(actionOf(changed));
    return blocked;
  };
  const item = { route: { kind: 'item', playerId: 7 }, family: 'item' } as const;
  it('without a code pauses what the route counts against: one player’s items', async () => {
    expect(await blocksOf({ retry_after: 30 }, item)).toEqual([[item.route, 1_030_000]]);
  });
  it('that names the game’s own limit pauses the game', async () => {
    expect(await blocksOf({ error_code: 'rate_limit_exceeded' }, item)).toEqual([[{ kind: 'other' }, 1_001_000]]);
  });
  it.each([
    ['a player who acts', { token: TOKEN, family: 'approve' }],
    ['the owner of a phone', { family: 'phone_share' }],
  ] as const)('without a code, of %s, pauses nobody else', async (_, changed) => {
    expect(await blocksOf({ retry_after: 30 }, { route: { kind: 'other' }, ...changed })).toEqual([]);
  });
  it.each([
    ['purchase', 'purchase'],
    ['initiate', 'send_start'],
  ] as const)('without a code pauses one player’s bucket of %s', async (kind, family) => {
    const route = { kind, playerId: 7 };
    expect(await blocksOf({}, { route, family })).toEqual([[route, 1_001_000]]);
  });
  it('of loyalty pauses loyalty alone, for a player who acts too', async () => {
    expect(await blocksOf({}, { route: { kind: 'loyalty' }, family: 'redeem', token: TOKEN })).toEqual([[{ kind: 'loyalty' }, 1_001_000]]);
  });
  it('that names a limit of one player pauses nothing', async () => {
    expect(await blocksOf({ error: 'spending_limit_exceeded' }, { route: { kind: 'other' }, family: 'checkout' })).toEqual([]);
  });
});
