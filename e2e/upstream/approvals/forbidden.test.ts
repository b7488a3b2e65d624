import { expect, test } from 'vitest';
import { type Answered, type Body, openInvo, type TestInvo } from '../testing/test-client.ts';
import { ASA, asPlayer, coinsOf, setTime, startSend } from '../testing/test-players.ts';

const post = (invo: TestInvo, path: string, body: object = {}): Promise<Answered> => invo.post(path, body);
const verify = (invo: TestInvo, pin: string, id = 'TRF_7MIN'): Promise<Answered> =>
  post(invo, '/api/transfers/verify-sms', { transaction_id: id, sms_pin: pin });
const countsOf = async (invo: TestInvo): Promise<[string, number, number][]> =>
  (await invo.control('GET', 'executed?kind=forbidden')).body.executed.map(({ subject, executions, calls }: Body) => [
    subject,
    executions,
    calls,
  ]);

test('a PIN reaches the state of an approval, and three wrong ones lock it', async () => {
  const invo = await openInvo();
  expect((await verify(invo, '424242')).body).toEqual({
    status: 'success',
    transaction_id: 'TRF_7MIN',
    new_balance: '5000.00',
    claim_code: expect.stringMatching(/^CLM-/),
    claim_instructions: {
      message: expect.any(String),
      target_game_id: '41300',
      target_game_name: 'Emberfall',
      claim_code_expires_at: '2026-11-24T12:00:00.000Z',
    },
    transfer_summary: {
      amount_initiated: '100.00',
      net_amount_for_claim: '95.00',
      fees_deducted: '5.00',
      source_player_current_available_balance: '5000.00',
    },
    order_id: 'ORD_TRF_7MIN',
  });
  expect(await verify(invo, '424242')).toMatchObject({ status: 400, body: { error: 'pin_expired' } });
  expect(await verify(invo, '424242', 'TRF_MINOR')).toMatchObject({ status: 202, body: { code: 'GUARDIAN_APPROVAL_PENDING' } });
  expect((await verify(invo, '424242', 'TRF_NONE')).status).toBe(404);
  const id = (await startSend(invo)).body.transaction_id;
  const send = (pin: string): Promise<Answered> => post(invo, '/api/currency-sends/verify-sms', { transaction_id: id, sms_pin: pin });
  const left = [];
  for (const pin of ['1', '2', '3', '424242']) left.push((await send(pin)).body.attempts_remaining);
  expect(left).toEqual([2, 1, 0, 0]);
  expect(await coinsOf(invo)).toEqual(['49975.00', '25.00']);
  expect(await countsOf(invo)).toEqual([
    ['verify-pin', 1, 4],
    ['verify-send-pin', 0, 4],
  ]);
});

test('a PIN is texted again after half a minute', async () => {
  const invo = await openInvo();
  const resend = (): Promise<Answered> => post(invo, '/api/transfers/resend-pin', { transaction_id: 'TRF_7MIN' });
  expect((await resend()).body).toEqual({ status: 'resent' });
  expect(await resend()).toMatchObject({ status: 429, body: { error: 'resend_cooldown', retry_after: 30 } });
  await setTime(invo, '12:00:30');
  expect((await resend()).status).toBe(200);
});

test('passkeys, codes of owners and withdrawals are refused, and every call counts, also without a credential', async () => {
  const invo = await openInvo();
  const headers = await asPlayer(invo, ASA);
  const passkey = '/api/sdk/transfers/TRF_7MIN/approve/webauthn/begin';
  expect(await invo.post(passkey, {}, headers)).toMatchObject({ status: 403, body: { code: 'WEBAUTHN_NOT_ENABLED_FOR_TENANT' } });
  expect((await post(invo, passkey)).status).toBe(401);
  for (const answer of ['approve', 'reject']) {
    const path = `/api/wallet/phone-share/${answer}`;
    const statuses = [await post(invo, path), await invo.post(path, {}, headers), await invo.post(path, {}, {})].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([400, 400, 401]);
  }
  expect((await post(invo, '/api/withdrawals/request')).status).toBe(400);
  expect(await countsOf(invo)).toEqual([
    ['passkey', 0, 2],
    ['phone-share-approve', 0, 3],
    ['phone-share-reject', 0, 3],
    ['withdrawal', 0, 1],
  ]);
});
