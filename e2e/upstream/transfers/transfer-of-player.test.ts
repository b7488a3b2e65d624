import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, coinsOf, HOUSE, setTime, startSend } from '../testing/test-players.ts';

const EMBERFALL = { 'x-game-secret-key': 'upstream-emberfall-secret' };
const BODY = {
  client_request_id: 'transfer-1',
  source_player_name: 'Asa Venn',
  source_player_email: ASA,
  source_player_phone: '+4915112345678',
  target_player_phone: '+4915112345678',
  target_player_email: ASA,
  target_game_id: '41300',
  amount: '100.00',
};

const start = (invo: TestInvo, more: object = {}): Promise<Answered> => invo.post('/api/transfers/initiate-transfer', { ...BODY, ...more });
const claim = (invo: TestInvo, code: unknown, more: object = {}): Promise<Answered> =>
  invo.post('/api/transfers/claim-transfer', { claim_code: code, target_currency_id: 318, ...more }, EMBERFALL);
const statusOf = async (invo: TestInvo, id: string): Promise<string> =>
  (await invo.ask(`/api/transfers/${id}/status`)).body.transaction_status;

/** The code of a grant that the phone has approved. */
async function grantOf(invo: TestInvo, id: string, flow: string, headers: Record<string, string>): Promise<{ device_code: string }> {
  const { body } = await invo.post('/api/sdk/approvals/device/begin', { transaction_id: id, flow, channel: 'qr' }, headers);
  await invo.control('POST', 'phone', { transaction_id: id, outcome: 'approve' });
  return { device_code: body.device_code };
}

async function approved(invo: TestInvo): Promise<{ id: string; answer: Body }> {
  const id = (await start(invo)).body.transaction_id;
  const headers = await asPlayer(invo, ASA);
  const grant = await grantOf(invo, id, 'transfer', headers);
  return { id, answer: (await invo.post(`/api/sdk/transfers/${id}/approve`, grant, headers)).body };
}

test('a transfer reserves coins, shows its claim code once and is collected with the phone of the destination', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/', environment: 'emberfall' });
  const started = (await start(invo)).body;
  expect(started).toMatchObject({
    transaction_id: 'TRF_41207_000001',
    new_balance: '4900.00',
    transfer_details: {
      source_game: 'Starfall',
      target_game: 'Emberfall',
      target_game_id: '41300',
      currency_id: 311,
      amount_initiated: '100.00',
      fees_preview: { total_fee: '5.00', net_amount: '95.00' },
    },
  });
  expect(started).not.toHaveProperty('send_details');
  expect(await coinsOf(invo, ASA)).toEqual(['4900.00', '350.00']);
  const headers = await asPlayer(invo, ASA);
  const id = started.transaction_id;
  const grant = await grantOf(invo, id, 'transfer', headers);
  const approve = (): Promise<Answered> => invo.post(`/api/sdk/transfers/${id}/approve`, grant, headers);
  const { body } = await approve();
  expect(body).toEqual({
    status: 'approved',
    next: 'pending_claim',
    transaction_id: id,
    claim_code: expect.stringMatching(/^CLM-/),
    claim_code_expires_at: '2026-11-24T12:00:00.000Z',
  });
  const again = await approve();
  expect([again.body.code, again.text.includes('CLM-')]).toEqual(['TRANSACTION_NOT_PENDING', false]);
  const there = await asPlayer(invo, ASA, EMBERFALL['x-game-secret-key']);
  const receipt = await grantOf(invo, id, 'transfer_receipt', there);
  const confirm = (): Promise<Answered> => invo.post(`/api/sdk/transfers/${id}/confirm-receipt`, receipt, there);
  expect((await confirm()).body).toEqual({ status: 'success', transaction_id: id, amount_received: '95.00', currency_name: 'Embers' });
  expect((await confirm()).body).toMatchObject({ code: 'TRANSACTION_NOT_PENDING', current_status: 'completed' });
  expect(await coinsOf(invo, ASA)).toEqual(['4900.00', '250.00']);
  expect((await coinsOf(invo, ASA, 'emberfall'))[0]).toBe('5095.00');
  expect(await statusOf(invo, id)).toBe('completed');
  const counts = (await invo.control('GET', 'executed')).body.executed.map(({ kind, executions, calls }: Body) => [
    kind,
    executions,
    calls,
  ]);
  expect(counts).toEqual(
    expect.arrayContaining([
      ['initiate-transfer', 1, 1],
      ['transfer-approve', 1, 2],
      ['confirm-receipt', 1, 2],
    ]),
  );
  const events = (await invo.control('GET', 'deliveries?environment=emberfall')).body.deliveries;
  expect(events.map(({ event_type }: Body) => event_type)).toEqual([
    'transfer.claim_pending',
    'device_approval.approved',
    'transfer.received',
  ]);
});

test('a claim code collects a transfer in its destination, once', async () => {
  const invo = await openInvo();
  const { id, answer } = await approved(invo);
  expect((await invo.control('GET', 'secrets')).body.secrets).toContainEqual({ kind: 'claim_code', value: answer.claim_code });
  expect((await invo.ask('/api/transfers/inbound-pending', EMBERFALL)).text).toContain(id);
  expect((await claim(invo, 'CLM-wrong')).body).toEqual({ error: 'The claim code is not valid.' });
  expect((await claim(invo, answer.claim_code, { target_currency_id: 311 })).body.field).toBe('target_currency_id');
  expect((await claim(invo, undefined)).body.field).toBe('claim_code');
  expect((await claim(invo, answer.claim_code)).body).toMatchObject({ transaction_id: id, amount_received: '95.00' });
  expect(await claim(invo, answer.claim_code)).toMatchObject({ status: 409, body: { current_status: 'completed' } });
  expect((await coinsOf(invo, ASA, 'emberfall'))[0]).toBe('5095.00');
  expect((await invo.control('GET', 'executed?kind=claim-transfer')).body.executed).toMatchObject([
    { subject: 'unknown code', executions: 0, calls: 2 },
    { subject: id, executions: 1, calls: 3 },
  ]);
});

test('a claim names every field that its shape wants and that is missing, and must then name the receiver', async () => {
  const invo = await openInvo();
  const { id, answer } = await approved(invo);
  await invo.control('POST', 'shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
  const code = answer.claim_code;
  expect((await claim(invo, code)).body).toMatchObject({ fields: ['player_email', 'player_phone'] });
  expect((await claim(invo, code, { player_email: ASA })).body).toMatchObject({ fields: ['player_phone'] });
  const other = await claim(invo, code, { player_email: ASA, player_phone: '+4915112345670' });
  expect([other.status, other.body.fields]).toEqual([400, undefined]);
  expect((await claim(invo, code, { player_email: ASA, player_phone: '+4915112345678' })).body).toMatchObject({ transaction_id: id });
});

test('a claim whose answer is torn has collected the coins', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'faults', [{ kind: 'claim_then_torn' }]);
  await expect(claim(invo, 'canary-claim-code-TRF_CLAIM')).rejects.toThrow();
  expect(await statusOf(invo, 'TRF_CLAIM')).toBe('completed');
  expect(await coinsOf(invo, ASA)).toEqual(['5000.00', '150.00']);
});

test('a claim for a number of another account waits for its owner', async () => {
  const invo = await openInvo();
  const dara = { phone: '+4915100910029', player_email: 'dara.finch@players.example' };
  expect(await claim(invo, 'canary-claim-code-TRF_SHARED')).toMatchObject({
    status: 409,
    body: { error_code: 'PHONE_SHARE_APPROVAL_REQUIRED', requesting_email: dara.player_email },
  });
  await invo.control('POST', 'owner', { ...dara, outcome: 'yes', environment: 'emberfall' });
  expect((await claim(invo, 'canary-claim-code-TRF_SHARED')).body.amount_received).toBe('23.75');
});

test('in the shape wants_player a claim names the fields it wants, one after the other', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'claim-transfer': 'wants_player' });
  const code = 'canary-claim-code-TRF_CLAIM';
  expect((await claim(invo, code)).body).toEqual({ error: 'player_email is required.', field: 'player_email' });
  expect((await claim(invo, code, { player_email: ASA })).body.field).toBe('player_phone');
  expect((await claim(invo, code, { player_email: HOUSE, player_phone: '+4915112345678' })).status).toBe(400);
  expect((await claim(invo, code, { player_email: ASA, player_phone: '+4915112345678' })).status).toBe(200);
});

test('a claim is refused with a code in the shape codes, and answers little in the shape bare', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'claim-transfer': 'codes+bare' });
  expect((await claim(invo, 'CLM-wrong')).body.error_code).toBe('CLAIM_REFUSED');
  expect((await claim(invo, 'canary-claim-code-TRF_CLAIM')).body).toEqual({ status: 'success' });
});

test('in the shape claim_5h an approved transfer can be collected for five hours', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'transfer-approve': 'claim_5h' });
  const { id, answer } = await approved(invo);
  expect(answer.claim_code_expires_at).toBe('2026-11-21T17:00:00.000Z');
  await setTime(invo, '17:00:00');
  expect(await statusOf(invo, id)).toBe('refunded');
  expect(await coinsOf(invo, ASA)).toEqual(['5000.00', '250.00']);
  expect(await claim(invo, answer.claim_code)).toMatchObject({ status: 409, body: { current_status: 'refunded' } });
});

test.each([
  [{ target_game_id: 41300 }, 201, undefined],
  [{ target_player_email: undefined }, 201, undefined],
  [{ target_game_id: '41207' }, 400, 'SAME_GAME'],
  [{ target_game_id: true }, 400, 'INVALID_FIELD_VALUE'],
  [{ source_player_name: '' }, 400, 'MISSING_FIELD'],
  [{ amount: '5000.01' }, 400, 'INSUFFICIENT_BALANCE'],
  [{ target_game_id: '41400' }, 409, 'NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED'],
  [{ target_game_id: '41600' }, 403, 'TARGET_GAME_NOT_LIVE'],
  [{ target_player_email: 'dara.finch@players.example', target_player_phone: '+4915100910029' }, 409, 'PHONE_SHARE_APPROVAL_REQUIRED'],
  [{ source_player_email: 'cato.lind@players.example' }, 202, undefined],
  [{ source_player_email: 'fay+rook/1@players.example' }, 403, 'PASSKEY_RECOVERY_COOLDOWN'],
])('a transfer with %j is %i %s', async (more, status, code) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: 'codes' });
  const { body, ...answered } = await start(invo, more);
  expect([answered.status, body.error_code]).toEqual([status, code]);
});

test('a transfer follows the policy of the game, and its fees can be text', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'initiate-transfer': 'fees_text' });
  expect((await start(invo)).body.transfer_details.fees_preview).toBe('2 % + 2 % + 1 %');
  await invo.control('POST', 'game', { transferMode: 'linked', status: 'live' });
  expect((await start(invo, { client_request_id: 'two', target_game_id: '41700' })).body.error_code).toBe('TRANSFER_POLICY_VIOLATION');
  await invo.control('POST', 'game', { outgoing: false });
  expect((await start(invo, { client_request_id: 'two' })).body.error_code).toBe('TRANSFER_POLICY_VIOLATION');
  await invo.control('POST', 'game', { status: 'testing' });
  expect((await start(invo, { client_request_id: 'two' })).body.error_code).toBe('SOURCE_GAME_NOT_LIVE');
});

test('a receipt needs the receiver’s token of the destination and the phone’s approval', async () => {
  const invo = await openInvo();
  const confirm = (headers: Record<string, string>, body: object = { device_code: 'dvc_x' }): Promise<Answered> =>
    invo.post('/api/sdk/transfers/TRF_CLAIM/confirm-receipt', body, headers);
  const there = await asPlayer(invo, ASA, EMBERFALL['x-game-secret-key']);
  expect((await confirm(there)).body.code).toBe('DEVICE_APPROVAL_NOT_APPROVED');
  expect((await confirm(there, {})).body.code).toBe('INVALID_INPUT');
  expect((await confirm(await asPlayer(invo, ASA))).status).toBe(404);
  expect((await confirm(await asPlayer(invo, HOUSE, EMBERFALL['x-game-secret-key']))).body.code).toBe('not_transfer_receiver');
  expect((await confirm(EMBERFALL)).body.code).toBe('SDK_TOKEN_MALFORMED');
});

test('a transfer and a send share the ten starts of a player in a minute', async () => {
  const invo = await openInvo({ isRateLimited: true, meterNowMs: () => 0 });
  for (let number = 0; number < 10; number += 1)
    expect((await start(invo, { client_request_id: `t-${number}`, amount: `${number + 1}.00` })).status).toBe(201);
  expect((await startSend(invo, { client_request_id: 't-10', sender_player_email: ASA })).status).toBe(429);
  expect((await start(invo, { client_request_id: 't-11', source_player_email: HOUSE })).status).toBe(201);
});

test('a player can start a hundred in an hour, and send a million coins in a day', async () => {
  const invo = await openInvo();
  for (let number = 1; number <= 100; number += 1)
    await start(invo, {
      client_request_id: `t-${number}`,
      amount: (number / 100).toFixed(2),
    });
  expect((await start(invo, { client_request_id: 't-101' })).status).toBe(429);
  await invo.control('POST', 'wallet', { player_email: HOUSE, coins: '3000000.00' });
  expect((await startSend(invo, { amount: '999999.00' })).status).toBe(201);
  const two = { client_request_id: 'send-2', amount: '2.00' };
  expect((await startSend(invo, two)).status).toBe(429);
  await invo.control('POST', 'clock', { now: '2026-11-22T12:00:00Z' });
  expect((await startSend(invo, two)).status).toBe(201);
});
