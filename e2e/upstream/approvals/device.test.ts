import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, HOUSE, setTime, startSend } from '../testing/test-players.ts';

const DEVICE = '/api/sdk/approvals/device';

interface Started {
  invo: TestInvo;
  id: string;
  headers: Record<string, string>;
  grant: Body;
}

const begin = (invo: TestInvo, id: string, headers: Record<string, string>, more: object = {}): Promise<Answered> =>
  invo.post(`${DEVICE}/begin`, { transaction_id: id, flow: 'send', channel: 'qr', ...more }, headers);
const poll = ({ invo, headers, grant }: Started, more: Record<string, string> = headers): Promise<Answered> =>
  invo.post(`${DEVICE}/poll`, { device_code: grant.device_code }, more);

async function started(options: Parameters<typeof openInvo>[0] = {}): Promise<Started> {
  const invo = await openInvo(options);
  const id = (await startSend(invo)).body.transaction_id;
  const headers = await asPlayer(invo, HOUSE);
  const { status, body } = await begin(invo, id, headers);
  expect(status).toBe(200);
  return { invo, id, headers, grant: body };
}

const press = async (grant: Body, act: string): Promise<string> =>
  (
    await fetch(new URL('/phone', grant.verification_uri), {
      method: 'POST',
      body: new URLSearchParams({ code: grant.user_code, act }),
    })
  ).text();

test('a phone approves what the screen shows, and every code is a secret', async () => {
  const all = await started();
  const { invo, id, grant } = all;
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  expect(grant).toEqual({
    device_code: expect.stringMatching(/^dvc_/),
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    verification_uri: `${invo.url}/phone`,
    verification_uri_complete: `${invo.url}/phone?code=${grant.user_code}`,
    expires_in: 600,
    interval: 5,
    channel: 'qr',
  });
  expect(await poll(all)).toMatchObject({ status: 400, body: { error: 'authorization_pending', interval: 5 } });
  expect(await (await fetch(grant.verification_uri_complete)).text()).toContain('Starfall: send 25.00 Lumens, House Account');
  expect(await press(grant, 'approve')).toContain('Approved.');
  expect(await press(grant, 'deny')).toContain('GRANT_NOT_PENDING');
  const approved = { status: 'approved', transaction_id: id, flow: 'send', approved_at: '2026-11-21T12:00:00.000Z' };
  for (let time = 0; time < 2; time += 1) expect((await poll(all)).body).toEqual(approved);
  const [{ event_type: type }] = (await invo.control('GET', 'deliveries')).body.deliveries;
  expect(type).toBe('device_approval.approved');
  const values = (await invo.control('GET', 'secrets')).body.secrets.map(({ value }: Body) => value);
  for (const name of ['device_code', 'user_code', 'verification_uri_complete']) expect(values).toContain(grant[name]);
  expect((await invo.ask(`/api/transfers/${id}/status`)).body.verification_state).toBe('awaiting');
  expect((await invo.control('GET', 'executed?kind=device-begin')).body.executed).toMatchObject([{ subject: id, executions: 1, calls: 1 }]);
});

test.each([
  ['deny', 'access_denied'],
  ['approve', undefined],
])('control can %s on the phone, and a poll says %s', async (outcome, error) => {
  const all = await started();
  await all.invo.control('POST', 'phone', { transaction_id: all.id, outcome });
  expect((await poll(all)).body.error).toBe(error);
  expect((await all.invo.control('POST', 'phone', { transaction_id: all.id, outcome })).status).toBe(409);
});

test('an early poll slows the next down by five seconds', async () => {
  let ms = 0;
  const all = await started({ isRateLimited: true, meterNowMs: () => ms });
  const answers: [number, string, number][] = [];
  for (const second of [0, 5, 9, 14, 19]) {
    ms = second * 1000;
    const { error, interval } = (await poll(all)).body;
    answers.push([second, error, interval]);
  }
  expect(answers).toEqual([
    [0, 'authorization_pending', 5],
    [5, 'authorization_pending', 5],
    [9, 'slow_down', 10],
    [14, 'slow_down', 15],
    [19, 'slow_down', 20],
  ]);
  ms = 39_000;
  expect((await poll(all)).body).toEqual({ error: 'authorization_pending', interval: 20 });
});

test('a code is over after ten minutes, and a newer one replaces it before', async () => {
  const all = await started();
  const { invo, id, headers } = all;
  await setTime(invo, '12:05:00');
  const second = { ...all, grant: (await begin(invo, id, headers)).body };
  expect((await poll(all)).body.error).toBe('invalid_grant');
  await invo.control('POST', 'shape', { 'device-poll': 'replaced_expired' });
  expect((await poll(all)).body.error).toBe('expired_token');
  await setTime(invo, '12:14:59');
  expect((await poll(second)).body.error).toBe('authorization_pending');
  await setTime(invo, '12:15:00');
  expect((await poll(second)).status).toBe(401);
  expect((await poll(second, await asPlayer(invo, HOUSE))).body.error).toBe('expired_token');
  expect((await begin(invo, id, await asPlayer(invo, HOUSE))).body).toMatchObject({
    code: 'TRANSACTION_NOT_PENDING',
    current_status: 'refunded',
  });
});

test('an approved grant must be used before another one starts', async () => {
  const { invo, id, headers } = await started();
  await invo.control('POST', 'phone', { transaction_id: id, outcome: 'approve' });
  expect(await begin(invo, id, headers)).toMatchObject({
    status: 409,
    body: { code: 'DEVICE_APPROVAL_ALREADY_PENDING', expires_at: '2026-11-21T12:10:00.000Z' },
  });
});

test('a new phone waits for the screen, which confirms or refuses it', async () => {
  const all = await started();
  const { invo, headers, grant } = all;
  const decide = (decision: string): Promise<Answered> =>
    invo.post(`${DEVICE}/confirm-enrollment`, { device_code: grant.device_code, decision }, headers);
  expect((await decide('approve')).body.code).toBe('ENROLLMENT_NOT_PENDING');
  expect(await press(grant, 'enrol')).toMatch(/Compare [A-Z]{6} with the screen/);
  const { enrollment } = (await poll(all)).body;
  expect(enrollment).toEqual({
    state: 'awaiting_screen',
    device_label: expect.stringContaining('Pixel 9'),
    match_code: expect.stringMatching(/^[A-Z]{6}$/),
  });
  expect(await press(grant, 'approve')).toContain('ENROLLMENT_PENDING');
  expect((await decide('later')).body.code).toBe('INVALID_INPUT');
  expect((await decide('approve')).body).toEqual({ status: 'success', decision: 'approve' });
  expect((await poll(all)).body.enrollment.state).toBe('confirmed');
  await invo.control('POST', 'shape', { 'device-poll': 'verified' });
  expect((await poll(all)).body.enrollment.state).toBe('verified');
  expect(await press(grant, 'approve')).toContain('Approved.');
  const refused = await started();
  await refused.invo.control('POST', 'phone', { transaction_id: refused.id, outcome: 'enrol' });
  const deny = { device_code: refused.grant.device_code, decision: 'deny' };
  await refused.invo.post(`${DEVICE}/confirm-enrollment`, deny, refused.headers);
  expect((await poll(refused)).body.error).toBe('access_denied');
});

test.each([
  ['loose', 'authorization_pending'],
  ['strict', 'invalid_grant'],
])('in the shape %s a poll with another token of the player says %s', async (shape, error) => {
  const all = await started();
  await all.invo.control('POST', 'shape', { 'device-poll': shape });
  expect((await poll(all, await asPlayer(all.invo, HOUSE))).body.error).toBe(error);
  expect((await poll(all, await asPlayer(all.invo, ASA))).body.error).toBe('invalid_grant');
  expect((await poll({ ...all, grant: { device_code: 'dvc_unknown' } })).body.error).toBe('invalid_grant');
});

test.each([
  ['send', 'send', 200, undefined],
  ['send', 'transfer', 400, 'INVALID_INPUT'],
  ['currency_send', 'currency_send', 200, undefined],
  ['currency_send', 'send', 400, 'INVALID_INPUT'],
  ['no_flow', 'send', 400, 'INVALID_INPUT'],
])('in the shape %s a send is approved in the flow %s: %i', async (shape, flow, status, code) => {
  const { invo, id, headers } = await started();
  await invo.control('POST', 'shape', { 'device-begin': shape });
  const { body, ...answered } = await begin(invo, id, headers, { flow });
  expect([answered.status, body.code]).toEqual([status, code]);
});

test('a grant needs a token of the sender, a transaction of the game and no secret beside the token', async () => {
  const { invo, id, headers } = await started();
  expect((await begin(invo, id, await asPlayer(invo, ASA))).body.code).toBe('not_transfer_sender');
  const emberfall = await asPlayer(invo, HOUSE, 'upstream-emberfall-secret');
  expect((await begin(invo, id, emberfall)).status).toBe(404);
  await invo.control('POST', 'shape', { 'device-begin': '400' });
  expect((await begin(invo, id, emberfall)).status).toBe(400);
  for (const wrong of [{}, { 'x-game-secret-key': 'upstream-secret' }, { ...headers, 'x-game-secret-key': 'upstream-secret' }])
    expect(await begin(invo, id, wrong)).toMatchObject({ status: 401, body: { code: 'SDK_TOKEN_MALFORMED' } });
  expect((await begin(invo, id, headers, { flow: 7 })).body.code).toBe('INVALID_INPUT');
});

test('a receipt starts with the receiver, in the destination', async () => {
  const invo = await openInvo();
  const receipt = { flow: 'transfer_receipt' };
  const there = await asPlayer(invo, ASA, 'upstream-emberfall-secret');
  const { status, body } = await begin(invo, 'TRF_CLAIM', there, receipt);
  expect(status).toBe(200);
  expect(await (await fetch(body.verification_uri_complete)).text()).toContain('Emberfall: receive 95.00 Embers, Asa Venn');
  expect((await begin(invo, 'TRF_CLAIM', await asPlayer(invo, ASA), receipt)).body.code).toBe('INVALID_INPUT');
  const house = await asPlayer(invo, HOUSE, 'upstream-emberfall-secret');
  expect((await begin(invo, 'TRF_CLAIM', house, receipt)).body.code).toBe('not_transfer_sender');
  expect((await begin(invo, 'TRF_DONE', there, receipt)).body.code).toBe('TRANSACTION_NOT_PENDING');
});

test('a page of HTML can take the place of a poll’s answer, and an unknown code has no page', async () => {
  const all = await started();
  await all.invo.control('POST', 'faults', [{ kind: 'poll_html', match: { route: 'device-poll' } }]);
  expect((await poll(all)).text).toContain('<!doctype html>');
  expect((await fetch(`${all.invo.url}/phone?code=NONE-NONE`)).status).toBe(404);
});
