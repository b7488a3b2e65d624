import { expect, test } from 'vitest';
import { type Body, openInvo } from '../testing/test-client.ts';
import { coinsOf, setTime, startSend } from '../testing/test-players.ts';

const DARA = { receiver_player_email: 'dara.finch@players.example', receiver_player_phone: '+4915100910029' };
const senderOf = (name: string, number: number): object => ({
  sender_player_email: `${name}@players.example`,
  sender_player_phone: `+4915100${number}`,
});

test('a send reserves the coins at once, and its key makes one send', async () => {
  const invo = await openInvo();
  const { status, body } = await startSend(invo);
  expect([status, body]).toEqual([
    201,
    {
      status: 'success',
      message: expect.any(String),
      transaction_id: 'SND_41207_000001',
      order_id: 'ORD_SND_41207_000001',
      verification_expires_at: '2026-11-21T12:10:00.000Z',
      new_balance: '49975.00',
      currency_name: 'Lumens',
      verification_method: 'in_app',
      send_details: {
        sending_game: 'Starfall',
        receiving_game: 'Starfall',
        receiving_game_id: 41207,
        currency: 'Lumens',
        currency_id: 311,
        amount_initiated: '25.00',
        fees_preview: expect.objectContaining({ total_fee: '0.00', net_amount: '25.00' }),
        receiver_phone: '+4915112345678',
        send_type: 'same_game',
        transfer_policy: { source_universal_transfers: true, policy_applied: 'universal', target_in_linked_list: false },
      },
      verification_required: { phone_number_masked: '+491•••••31', pin_expires_in_minutes: 10 },
    },
  ]);
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  const again = await startSend(invo);
  expect([again.status, again.body]).toEqual([
    409,
    { error: expect.any(String), transaction_id: 'SND_41207_000001', order_id: 'ORD_SND_41207_000001' },
  ]);
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  expect((await invo.control('GET', 'executed?kind=initiate-send')).body.executed).toMatchObject([
    { subject: 'send-1', executions: 1, calls: 2 },
  ]);
  const state = (await invo.ask('/api/transfers/SND_41207_000001/status')).body;
  expect([state.transaction_status, state.verification_state]).toEqual(['pending_approval', 'awaiting']);
});

test('coins that nobody approves go back when the window ends', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  await startSend(invo);
  await setTime(invo, '12:09:59');
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  await setTime(invo, '12:10:00');
  expect(await coinsOf(invo)).toEqual(['50000.00', '0.00']);
  const { deliveries } = (await invo.control('GET', 'deliveries')).body;
  expect(deliveries.map(({ event_type }: Body) => event_type)).toEqual(['transfer.refunded']);
});

test('a send to another title costs its fees, and only a title that takes coins of this one', async () => {
  const invo = await openInvo();
  const crossed = (await startSend(invo, { receiving_game_id: 41300, amount: '100.00' })).body.send_details;
  expect(crossed).toMatchObject({
    send_type: 'cross_game',
    fees_preview: { total_fee: '5.00', sending_game_fee: '2.00', receiving_game_fee: '2.00', platform_fee: '1.00', net_amount: '95.00' },
  });
  for (const [game, status, code] of [
    [41400, 409, 'NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED'],
    [41500, 409, 'GAME_TO_PLATFORM_BLOCKED'],
    [41600, 403, undefined],
    [41700, 201, undefined],
    [99999, 400, undefined],
  ] as const) {
    const { body, ...answered } = await startSend(invo, { client_request_id: `to-${game}`, receiving_game_id: game });
    expect([game, answered.status, body.error_code]).toEqual([game, status, code]);
  }
  await invo.control('POST', 'game', { transferMode: 'linked' });
  expect((await startSend(invo, { client_request_id: 'linked', receiving_game_id: 41700 })).body.error_code).toBe(
    'CURRENCY_SEND_POLICY_VIOLATION',
  );
  expect(await coinsOf(invo)).toEqual(['49875.00', '125.00']);
});

test.each([
  [{ amount: '0.00' }, 'INVALID_AMOUNT'],
  [{ amount: 25 }, 'INVALID_AMOUNT'],
  [{ amount: '50000.01' }, 'INSUFFICIENT_BALANCE'],
  [{ receiver_player_email: undefined }, 'MISSING_FIELD'],
  [{ receiver_player_phone: '+49 151 12345678' }, 'INVALID_PHONE'],
  [{ sender_player_phone: '015112345678' }, 'INVALID_PHONE'],
  [{ receiving_game_id: '41207' }, 'INVALID_FIELD_VALUE'],
  [{ sender_player_email: 'nobody@players.example' }, 'INSUFFICIENT_BALANCE'],
])('a send with %j is a 400 in words, and %s in the shape codes; its key can be used again', async (more, code) => {
  const invo = await openInvo();
  const plain = await startSend(invo, more);
  expect([plain.status, Object.keys(plain.body)]).toEqual([400, ['error']]);
  await invo.control('POST', 'shape', { starts: 'codes' });
  expect((await startSend(invo, more)).body.error_code).toBe(code);
  expect((await startSend(invo)).status).toBe(201);
});

test('a minor’s send waits for a guardian, who agrees, declines or never answers', async () => {
  const invo = await openInvo();
  const cato = senderOf('cato.lind', 910028);
  const { status, body } = await startSend(invo, cato);
  expect([status, body]).toMatchObject([
    202,
    {
      status: 'pending_guardian_approval',
      transaction_id: 'SND_41207_000001',
      guardian_approval: { state: 'pending', expires_at: '2026-11-23T12:00:00.000Z', poll_endpoint: expect.any(String) },
      consent_channel: 'email',
    },
  ]);
  expect(await coinsOf(invo, 'cato.lind@players.example')).toEqual(['1975.00', '25.00']);
  const stateOf = async (id: string): Promise<string> => (await invo.ask(`/api/transactions/${id}/approval-status`)).body.approval.state;
  expect(await stateOf(body.transaction_id)).toBe('pending');
  await invo.control('POST', 'guardian', { transaction_id: body.transaction_id, outcome: 'approve' });
  expect(await stateOf(body.transaction_id)).toBe('approved');
  const second = (await startSend(invo, { ...cato, client_request_id: 'send-2', amount: '30.00' })).body.transaction_id;
  await invo.control('POST', 'guardian', { transaction_id: second, outcome: 'reject' });
  expect(await stateOf(second)).toBe('rejected');
  expect(await coinsOf(invo, 'cato.lind@players.example')).toEqual(['1975.00', '25.00']);
});

test('a number on file under another email waits for its owner, and the same key makes the send once the owner agrees', async () => {
  const invo = await openInvo();
  const { status, body } = await startSend(invo, DARA);
  expect([status, body]).toMatchObject([
    409,
    {
      status: 'error',
      error_code: 'PHONE_SHARE_APPROVAL_REQUIRED',
      phone: '+4915100910029',
      requesting_email: 'dara.finch@players.example',
      existing_account_hints: ['o•••@players.example'],
      next_endpoint: '/api/wallet/phone-share/initiate',
      approval_id: 'PSA_000001',
      expires_at: '2026-11-21T12:15:00.000Z',
      code_sent: true,
      already_approved: false,
    },
  ]);
  await setTime(invo, '12:00:18');
  expect((await startSend(invo, DARA)).body).toMatchObject({ approval_id: 'PSA_000001', code_sent: false, cooldown_seconds: 12 });
  const owner = { phone: DARA.receiver_player_phone, player_email: DARA.receiver_player_email };
  await invo.control('POST', 'owner', { ...owner, outcome: 'no' });
  expect((await startSend(invo, DARA)).body.approval_id).toBe('PSA_000002');
  await invo.control('POST', 'owner', { ...owner, outcome: 'yes' });
  expect((await startSend(invo, DARA)).status).toBe(201);
  expect((await invo.control('GET', 'executed?kind=initiate-send')).body.executed).toMatchObject([{ executions: 1, calls: 4 }]);
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
});

test('forty codes an hour are texted to a number, then none', async () => {
  const invo = await openInvo();
  for (let minute = 0; minute < 40; minute += 1) {
    await setTime(invo, `12:${String(minute).padStart(2, '0')}:00`);
    expect((await startSend(invo, DARA)).body.code_sent).toBe(true);
  }
  await setTime(invo, '12:40:00');
  const { body } = await startSend(invo, DARA);
  expect(body).toMatchObject({ code_sent: false, rate_limited: true, retry_after_seconds: 1200 });
  expect(body).not.toHaveProperty('approval_id');
});

test.each([
  ['spent', 409, undefined],
  ['plain', 201, undefined],
])('in the shape %s a start that the owner held is %i when it is sent again', async (shape, status, code) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: shape });
  await startSend(invo, DARA);
  await invo.control('POST', 'owner', { phone: DARA.receiver_player_phone, player_email: DARA.receiver_player_email, outcome: 'yes' });
  const { body, ...answered } = await startSend(invo, DARA);
  expect([answered.status, body.error_code, 'approval_id' in body]).toEqual([status, code, false]);
});

test('a code that couldn’t be texted is stated, under one approval', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'phone-share-initiate': 'not_texted' });
  expect((await startSend(invo, DARA)).body).toMatchObject({ code_sent: false, already_approved: false, approval_id: 'PSA_000001' });
  expect((await startSend(invo, DARA)).body).toMatchObject({ code_sent: false, approval_id: 'PSA_000001' });
});

test('in the shape held_reserved the coins are reserved while the owner decides, and the send is made once', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: 'held_reserved' });
  expect((await startSend(invo, DARA)).body.error_code).toBe('PHONE_SHARE_APPROVAL_REQUIRED');
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  expect((await startSend(invo, DARA)).status).toBe(409);
  await invo.control('POST', 'owner', { phone: DARA.receiver_player_phone, player_email: DARA.receiver_player_email, outcome: 'yes' });
  expect(await startSend(invo, DARA)).toMatchObject({ status: 201, body: { transaction_id: 'SND_41207_000001' } });
  expect(await startSend(invo, DARA)).toMatchObject({ status: 409, body: { transaction_id: 'SND_41207_000001' } });
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  expect((await invo.control('GET', 'executed?kind=initiate-send')).body.executed).toMatchObject([{ executions: 1, calls: 4 }]);
});

test('an owner who agreed before is stated once, and the same start makes the send', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { 'phone-share-initiate': 'already_approved' });
  expect((await startSend(invo, DARA)).body).toMatchObject({ already_approved: true, code_sent: false });
  expect((await startSend(invo, DARA)).status).toBe(201);
});

test('coins of a store stay, and a recovered passkey holds money out', async () => {
  const invo = await openInvo();
  const eli = senderOf('eli.moss', 910030);
  expect(await startSend(invo, { ...eli, amount: '40.01' })).toMatchObject({
    status: 409,
    body: { error_code: 'PCSTORE_VALUE_NON_TRANSFERABLE', transferable_max: '40.00', pcstore_origin_amount: '60.00' },
  });
  expect((await startSend(invo, { ...eli, amount: '40.00' })).status).toBe(201);
  const fay = { sender_player_email: 'fay+rook/1@players.example', sender_player_phone: '+4915100910025', client_request_id: 'fay' };
  expect(await startSend(invo, fay)).toMatchObject({
    status: 403,
    body: { error_code: 'PASSKEY_RECOVERY_COOLDOWN', retry_after: '2026-11-21T12:10:00.000Z', retry_after_seconds: 600 },
  });
  await invo.control('POST', 'shape', { starts: 'epoch' });
  expect((await startSend(invo, fay)).body.retry_after).toBe(1_795_263_000);
  await invo.control('POST', 'shape', { starts: 'guardian_required' });
  expect((await startSend(invo, { client_request_id: 'minor' })).body.error_code).toBe('GUARDIAN_REQUIRED');
});

test('the same amount for the same receiver is blocked for a minute, and the 26th send of an hour', async () => {
  const invo = await openInvo();
  await startSend(invo);
  const again = await startSend(invo, { client_request_id: 'send-2' });
  expect([again.status, Object.keys(again.body)]).toEqual([429, ['error']]);
  await invo.control('POST', 'shape', { starts: 'repeat_409' });
  expect((await startSend(invo, { client_request_id: 'send-2' })).status).toBe(409);
  for (let number = 2; number <= 24; number += 1)
    expect((await startSend(invo, { client_request_id: `send-${number}`, amount: `${number}.00` })).status).toBe(201);
  await setTime(invo, '12:01:00');
  expect((await startSend(invo, { client_request_id: 'send-25' })).status).toBe(201);
  expect(await startSend(invo, { client_request_id: 'send-26', amount: '1.00' })).toMatchObject({
    status: 429,
    body: { error: 'velocity_limit_exceeded' },
  });
});

test.each([
  ['no_ids', { error: expect.any(String) }],
  ['duplicate_code', { error_code: 'DUPLICATE_REQUEST', transaction_id: 'SND_41207_000001' }],
])('a repeated key answers in the shape %s', async (shape, body) => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: shape });
  await startSend(invo);
  const again = await startSend(invo);
  expect([again.status, again.body]).toMatchObject([409, body]);
  expect('transaction_id' in again.body).toBe(shape !== 'no_ids');
});

test('in the shape forgets a key is forgotten after a day', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: 'forgets' });
  await startSend(invo);
  await invo.control('POST', 'clock', { now: '2026-11-22T11:59:59Z' });
  expect((await startSend(invo)).status).toBe(409);
  await invo.control('POST', 'clock', { now: '2026-11-22T12:00:00Z' });
  expect((await startSend(invo)).status).toBe(201);
});

test('windows and reservations follow the shape of a start', async () => {
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: 'short_window+unreserved+late_window+sms' });
  expect((await startSend(invo)).body).toMatchObject({
    verification_expires_at: '2026-11-21T12:07:00.000Z',
    verification_method: 'sms',
    verification_required: { pin_expires_in_minutes: 7 },
  });
  const cato = 'cato.lind@players.example';
  const { transaction_id } = (await startSend(invo, { ...senderOf('cato.lind', 910028), client_request_id: 'cato' })).body;
  expect(await coinsOf(invo, cato)).toEqual(['2000.00', '0.00']);
  await setTime(invo, '12:30:00');
  await invo.control('POST', 'guardian', { transaction_id, outcome: 'approve' });
  expect(await coinsOf(invo, cato)).toEqual(['1975.00', '25.00']);
  await setTime(invo, '12:40:00');
  expect(await coinsOf(invo, cato)).toEqual(['2000.00', '0.00']);
});
