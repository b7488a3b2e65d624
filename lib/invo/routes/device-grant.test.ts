import { describe, expect, it, test } from 'vitest';
import { type Answering, afterReading, sendJson } from '#e2e/support/invo/canned-server.ts';
import { type Talk, talkTo } from '#e2e/support/invo/talk-to.ts';
import { beginGrant, type GrantBeginning, type GrantPoll, pollGrant } from './device-grant.ts';

const TOKEN = 'canary-token-of-a-player-5d1';
const GRANT = { transactionId: 'TXN_7', flow: 'transfer', token: TOKEN };
const STARTED = {
  device_code: 'canary-device-1',
  user_code: 'WXYZ-1234',
  verification_uri: 'https://approve.invo.example/d',
  verification_uri_complete: 'https://approve.invo.example/d?code=WXYZ-1234',
  expires_in: 600,
  interval: 5,
  channel: 'qr',
};

const answering = (status: number, body: unknown): Answering => afterReading((_request, response) => sendJson(response, status, body));

async function begin(answer: Answering): Promise<Talk & { result: GrantBeginning }> {
  const talk = await talkTo(answer);
  return { ...talk, result: await beginGrant(talk.invo, GRANT) };
}

async function poll(answer: Answering, interval = 5): Promise<Talk & { result: GrantPoll }> {
  const talk = await talkTo(answer);
  return { ...talk, result: await pollGrant(talk.invo, { ...GRANT, device_code: STARTED.device_code, interval }) };
}

describe('beginning a grant', () => {
  it('parts what stays with the server from what the screen shows', async () => {
    const { result, server, diary } = await begin(answering(200, STARTED));
    const { user_code, verification_uri, verification_uri_complete, device_code } = STARTED;
    const shown = { user_code, verification_uri, verification_uri_complete };
    expect(result).toEqual({ state: 'started', grant: { device_code, expires_in: 600, interval: 5, shown } });
    expect(String(server.bodies[0])).toBe('{"transaction_id":"TXN_7","flow":"transfer","channel":"qr"}');
    expect(diary.log.join()).not.toMatch(/canary|WXYZ/);
  });
  it.each(['http://approve.invo.example/d', 'javascript:alert(1)', 'https://user@approve.invo.example/d', '/d', 7, null])(
    'shows no address that is not https: %j',
    async (address) => {
      const { result } = await begin(answering(200, { ...STARTED, verification_uri_complete: address }));
      expect(result).toMatchObject({ state: 'started', grant: { shown: { verification_uri_complete: null } } });
      expect((await begin(answering(200, { ...STARTED, verification_uri: address }))).result).toEqual({ state: 'unclear' });
    },
  );
  it('takes an address of this machine by http', async () => {
    const verification_uri = 'http://127.0.0.1:4100/phone';
    const verification_uri_complete = `${verification_uri}?code=WXYZ-1234`;
    const { result } = await begin(answering(200, { ...STARTED, verification_uri, verification_uri_complete }));
    expect(result).toMatchObject({ grant: { shown: { verification_uri, verification_uri_complete } } });
  });
  it('shows no address with the code in it that leads to another host than its page', async () => {
    const verification_uri_complete = 'https://elsewhere.example/d?code=WXYZ-1234';
    const { result } = await begin(answering(200, { ...STARTED, verification_uri_complete }));
    expect(result).toMatchObject({ state: 'started', grant: { shown: { verification_uri_complete: null } } });
  });
  it('without times has those of the contract', async () => {
    const { result } = await begin(answering(200, { ...STARTED, expires_in: 'soon', interval: 0 }));
    expect(result).toMatchObject({ grant: { expires_in: 600, interval: 5 } });
  });
  it.each(['code', 'error_code', 'error'])('again, while an approval is held, leaves it to the code issued before: %s', async (field) => {
    const body = { [field]: 'DEVICE_APPROVAL_ALREADY_PENDING', expires_at: '2026-11-26T12:10:00+00:00' };
    expect((await begin(answering(409, body))).result).toEqual({ state: 'already_approved', expires_at: '2026-11-26T12:10:00Z' });
  });
  it.each([
    [200, {}, 'unclear'],
    [500, { error: 'x' }, 'unclear'],
    [401, { code: 'SDK_TOKEN_MALFORMED' }, 'token_refused'],
    [404, { code: 'TRANSFER_UNKNOWN' }, 'refused'],
    [409, {}, 'refused'],
  ])('%i with %j is %s', async (status, body, state) => {
    expect((await begin(answering(status, body))).result).toMatchObject({ state });
  });
});

describe('a poll', () => {
  // Document 3, Device grant: what five 400s mean, by `error`.
  it.each([
    [
      { error: 'authorization_pending', interval: 5 },
      { state: 'waiting', interval: 5, enrolment: null },
    ],
    [
      { error: 'authorization_pending', interval: 9 },
      { state: 'waiting', interval: 9, enrolment: null },
    ],
    [
      { error: 'slow_down', interval: 5 },
      { state: 'waiting', interval: 10, enrolment: null },
    ],
    [
      { error: 'slow_down', interval: 30 },
      { state: 'waiting', interval: 30, enrolment: null },
    ],
    [
      { error: 'slow_down', interval: 86_400 },
      { state: 'waiting', interval: 10, enrolment: null },
    ],
    [{ error: 'expired_token' }, { state: 'ended', error: 'expired_token' }],
    [{ error: 'access_denied' }, { state: 'ended', error: 'access_denied' }],
    [{ error: 'invalid_grant' }, { state: 'ended', error: 'invalid_grant' }],
    [{ error_code: 'ACCESS_DENIED' }, { state: 'ended', error: 'access_denied' }],
    // Of two codes the one that promises least.
    [
      { error: 'access_denied', code: 'authorization_pending' },
      { state: 'waiting', interval: 5, enrolment: null },
    ],
  ])('answered 400 with %j', async (body, expected) => {
    const { result, server } = await poll(answering(400, body));
    expect(result).toEqual(expected);
    expect(String(server.bodies[0])).toBe('{"device_code":"canary-device-1"}');
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
  it('after a slow_down stays slow', async () => {
    expect((await poll(answering(400, { error: 'authorization_pending', interval: 5 }), 15)).result).toMatchObject({ interval: 15 });
  });
  it('that the phone approved says so, once it is about this transaction', async () => {
    const body = { status: 'approved', transaction_id: 'TXN_7', flow: 'transfer', approved_at: '2026-11-26T12:03:00+00:00' };
    expect((await poll(answering(200, body))).result).toEqual({ state: 'approved', approved_at: '2026-11-26T12:03:00Z' });
    for (const other of [{ transaction_id: 'TXN_8' }, { flow: 'transfer_receipt' }, { status: 'pending' }])
      expect((await poll(answering(200, { ...body, ...other }))).result).toMatchObject({ state: 'waiting', interval: 5 });
  });
  it('names a new phone', async () => {
    const enrollment = { state: 'awaiting_screen', device_label: 'Pixel 9', match_code: '42', more: 'x' };
    const { result, diary } = await poll(answering(400, { error: 'authorization_pending', interval: 5, enrollment }));
    expect(result).toMatchObject({ enrolment: { state: 'awaiting_screen', device_label: 'Pixel 9', match_code: '42' } });
    expect(diary.log.join()).not.toContain('Pixel');
  });
  it.each([
    [403, { error: 'access_denied' }],
    [500, { error: 'expired_token' }],
    [404, {}],
    [200, {}],
    [400, { error: 'never_heard_of' }],
  ])('answered %i with %j says nothing: it continues at its interval', async (status, body) => {
    expect((await poll(answering(status, body), 10)).result).toEqual({ state: 'waiting', interval: 10, enrolment: null });
  });
  it('waits as long as a 429 requests, and pauses nobody else', async () => {
    const { result, diary } = await poll(answering(429, { retry_after: 30 }));
    expect([result, diary.blocks]).toEqual([{ state: 'waiting', interval: 30, enrolment: null }, []]);
  });
  it('whose token is refused says so, and neither tries a secret nor turns one', async () => {
    const { result, server, diary } = await poll(answering(401, { error_code: 'INVALID_GAME_SECRET' }));
    expect([result, server.seen.length, diary.secret]).toEqual([{ state: 'token_refused' }, 1, 'current']);
  });
  test.each([
    ['a page', afterReading((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))],
    ['a cut', (({ socket }) => socket.destroy()) satisfies Answering],
  ] as [string, Answering][])('answered by %s says nothing', async (_, answer) => {
    expect((await poll(answer)).result).toEqual({ state: 'waiting', interval: 5, enrolment: null });
  });
});
