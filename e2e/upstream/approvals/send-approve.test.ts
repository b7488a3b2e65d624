import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, coinsOf, HOUSE, setTime, startSend } from '../testing/test-players.ts';

interface Ready {
  invo: TestInvo;
  id: string;
  headers: Record<string, string>;
  body: { device_code: string };
}

/** A send whose grant the phone has approved, unless another outcome is given. */
async function ready(outcome: string | null = 'approve', more: object = {}, email = HOUSE): Promise<Ready> {
  const invo = await openInvo();
  await invo.control('POST', 'webhooks', { url: 'http://127.0.0.1:9/' });
  const id = (await startSend(invo, more)).body.transaction_id;
  const headers = await asPlayer(invo, email);
  const { body } = await invo.post('/api/sdk/approvals/device/begin', { transaction_id: id, flow: 'send', channel: 'qr' }, headers);
  if (outcome !== null) await invo.control('POST', 'phone', { transaction_id: id, outcome });
  return { invo, id, headers, body: { device_code: body.device_code } };
}

const approve = ({ invo, id, headers, body }: Ready, more: { body?: unknown; headers?: Record<string, string> } = {}): Promise<Answered> =>
  invo.post(`/api/sdk/send/${id}/approve`, more.body ?? body, more.headers ?? headers);
const statusOf = async ({ invo, id }: Ready): Promise<string> => (await invo.ask(`/api/transfers/${id}/status`)).body.transaction_status;
const executed = async ({ invo }: Ready): Promise<Body> => (await invo.control('GET', 'executed?kind=send-approve')).body.executed[0];
const eventsOf = async ({ invo }: Ready): Promise<string[]> =>
  (await invo.control('GET', 'deliveries')).body.deliveries.map(({ event_type }: Body) => event_type);

test('an approved send waits for its receiver, and its coins move once', async () => {
  const all = await ready();
  const { invo, id } = all;
  const { status, body, text } = await approve(all);
  expect([status, body]).toEqual([
    200,
    { status: 'approved', next: 'pending_claim', transaction_id: id, claim_code_expires_at: '2026-11-24T12:00:00.000Z' },
  ]);
  expect(text).not.toContain('CLM-');
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  expect(await approve(all)).toMatchObject({ status: 400, body: { code: 'TRANSACTION_NOT_PENDING', current_status: 'pending_claim' } });
  expect(await executed(all)).toMatchObject({ subject: id, executions: 1, calls: 2 });
  await invo.control('POST', 'collect', { transaction_id: id });
  expect(await coinsOf(invo)).toEqual(['49975.00', '0.00']);
  expect(await coinsOf(invo, ASA)).toEqual(['5025.00', '250.00']);
  expect((await invo.control('POST', 'collect', { transaction_id: id })).status).toBe(409);
  expect(await statusOf(all)).toBe('completed');
  const events = ['device_approval.approved', 'transfer.claim_pending', 'transfer.claim_pending', 'transfer.sent', 'transfer.received'];
  expect(await eventsOf(all)).toEqual(events);
});

test('coins that nobody collects go back to the sender', async () => {
  const all = await ready();
  await approve(all);
  await all.invo.control('POST', 'clock', { now: '2026-11-24T12:00:00Z' });
  expect(await coinsOf(all.invo)).toEqual(['50000.00', '0.00']);
  expect(await statusOf(all)).toBe('refunded');
  expect((await eventsOf(all)).slice(-3)).toEqual(['transfer.claim_expired', 'transfer.claim_expired', 'transfer.refunded']);
});

test.each([
  ['approve_failed_moved', 'pending_claim', 1],
  ['approve_failed_unmoved', 'pending_approval', 0],
])('%s answers TRANSFER_APPROVE_FAILED, and the status is %s', async (kind, status, executions) => {
  const all = await ready();
  await all.invo.control('POST', 'faults', [{ kind }]);
  expect(await approve(all)).toMatchObject({
    status: 400,
    body: { code: 'TRANSFER_APPROVE_FAILED', error_ref: 'ref_approve_41' },
  });
  expect([await statusOf(all), await executed(all)]).toMatchObject([status, { executions, calls: 1 }]);
});

test('an approval whose answer is lost has moved the coins', async () => {
  const all = await ready();
  await all.invo.control('POST', 'faults', [{ kind: 'approve_reset_moved' }]);
  await expect(approve(all)).rejects.toThrow();
  expect([await statusOf(all), await executed(all)]).toMatchObject(['pending_claim', { executions: 1 }]);
});

test.each(['code', 'error_code', 'error', 'status'])('a guardian who hasn’t answered can be named in %s of a 202', async (codeIn) => {
  const all = await ready();
  await all.invo.control('POST', 'faults', [{ kind: 'approve_202_in', codeIn }]);
  const { status, body } = await approve(all);
  expect([status, body[codeIn], await statusOf(all)]).toEqual([202, 'GUARDIAN_APPROVAL_PENDING', 'pending_approval']);
});

test.each([
  [null, 202, 'GUARDIAN_APPROVAL_PENDING'],
  ['approve', 200, undefined],
  ['reject', 410, 'GUARDIAN_APPROVAL_REJECTED'],
  ['expire', 410, 'GUARDIAN_APPROVAL_EXPIRED'],
])('a minor’s send after the guardian’s %s is %i %s', async (outcome, status, code) => {
  const cato = { sender_player_email: 'cato.lind@players.example', sender_player_phone: '+4915100910028' };
  const all = await ready('approve', cato, cato.sender_player_email);
  if (outcome !== null) await all.invo.control('POST', 'guardian', { transaction_id: all.id, outcome });
  const { body, ...answered } = await approve(all);
  expect([answered.status, body.code]).toEqual([status, code]);
});

test('a guardian who never answers ends the send after two days', async () => {
  const cato = { sender_player_email: 'cato.lind@players.example', sender_player_phone: '+4915100910028' };
  const invo = await openInvo();
  await invo.control('POST', 'shape', { starts: 'late_window' });
  const { transaction_id: id } = (await startSend(invo, cato)).body;
  await invo.control('POST', 'clock', { now: '2026-11-23T12:00:00Z' });
  expect((await invo.ask(`/api/transactions/${id}/approval-status`)).body.approval.state).toBe('expired');
  expect(await coinsOf(invo, cato.sender_player_email)).toEqual(['2000.00', '0.00']);
});

test('one factor is accepted: the code of the grant that the phone approved', async () => {
  const all = await ready(null);
  const notApproved = { status: 400, body: { code: 'DEVICE_APPROVAL_NOT_APPROVED' } };
  expect(await approve(all)).toMatchObject(notApproved);
  await all.invo.control('POST', 'phone', { transaction_id: all.id, outcome: 'approve' });
  expect(await approve(all, { body: { device_code: 'dvc_unknown' } })).toMatchObject(notApproved);
  expect((await approve(all, { body: {} })).body.code).toBe('INVALID_INPUT');
  const passkey = { webauthn_assertion: { id: 'x' } };
  const signals = { device_fingerprint: 'x', device_signal: {}, biometric_verified: true };
  expect((await approve(all, { body: passkey })).body).toMatchObject({
    code: 'WEBAUTHN_NOT_ENABLED_FOR_TENANT',
    reason: 'no_verified_domain',
    hosted_flow: { partner_rp_frozen: true },
  });
  for (const body of [signals, { ...all.body, ...signals }]) expect((await approve(all, { body })).body.code).toBe('INVALID_INPUT');
  expect((await all.invo.control('GET', 'executed?kind=forbidden')).body.executed).toMatchObject([
    { subject: 'send-passkey', calls: 1 },
    { subject: 'send-device-signals', calls: 2 },
  ]);
  expect((await approve(all)).status).toBe(200);
});

test('the token must name the sender, in the game of the send', async () => {
  const all = await ready();
  expect((await approve(all, { headers: await asPlayer(all.invo, ASA) })).body.code).toBe('not_transfer_sender');
  const secret = { 'x-game-secret-key': 'upstream-secret' };
  expect(await approve(all, { headers: secret })).toMatchObject({ status: 401, body: { code: 'SDK_TOKEN_MALFORMED' } });
  await setTime(all.invo, '12:15:00');
  expect((await approve(all)).body.code).toBe('SDK_TOKEN_MALFORMED');
  expect((await approve(all, { headers: await asPlayer(all.invo, HOUSE) })).body).toMatchObject({ current_status: 'refunded' });
  expect((await approve({ ...all, id: 'TRF_7MIN' }, { headers: await asPlayer(all.invo, ASA) })).status).toBe(404);
});

test.each([
  ['success', { status: 'success', transaction_id: 'SND_41207_000001' }],
  ['empty', {}],
])('an approved send answers in the shape %s', async (shape, body) => {
  const all = await ready();
  await all.invo.control('POST', 'shape', { 'send-approve': shape });
  expect(await approve(all)).toMatchObject({ status: 200, body });
});

test('a send can have neither a status nor events', async () => {
  const all = await ready();
  await all.invo.control('POST', 'shape', { 'send-approve': 'no_status+no_events+approved' });
  expect((await approve(all)).body.next).toBe('pending_claim');
  expect((await all.invo.ask(`/api/transfers/${all.id}/status`)).status).toBe(404);
  expect(await eventsOf(all)).toEqual(['device_approval.approved']);
});
