import { expect, test } from 'vitest';
import { type AnswerClass, type Fields, parseAnswerClass, type SendingStatus } from './protocol.ts';
import { protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 3 (Send initiate request, Send initiate refusals, Phone-share approval, Approve refusals) and the page on desk actions.
const SEND = { house_player_id: 7, receiving_game_id: '41207', amount: '25.00', receiver_phone_end: '78' };
const APPROVE = { start_id: 1, transaction_id: 'SND_1', house_player_id: 7, window_ends_at: '2026-11-21T12:10:00Z' };
const STARTED = { status: 'success', transaction_id: 'SND_1', new_balance: '49975.00', send_details: { amount_initiated: '25.00' } };
const GUARDED = { status: 'pending_guardian_approval', transaction_id: 'SND_1', guardian_approval: { state: 'pending' } };
const answered = (status: number, json: Fields | null, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['started', 201, STARTED, []],
  ['started', 202, GUARDED, ['pending_guardian_approval']],
  ['started', 409, { transaction_id: 'SND_1' }, []],
  ['contradiction', 201, { ...STARTED, send_details: { amount_initiated: '26.00' } }, []],
  ['open', 201, { ...STARTED, transaction_id: undefined }, []],
  ['open', 201, STARTED, ['BRAND_NEW']],
  ['open', 200, STARTED, []],
  ['open', 409, {}, []],
  ['open', 409, {}, ['duplicate_request']],
  ['not_now', 409, {}, ['PHONE_SHARE_APPROVAL_REQUIRED']],
  ['refused', 409, {}, ['PCSTORE_VALUE_NON_TRANSFERABLE']],
  ['refused', 409, {}, ['NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED']],
  ['refused', 409, {}, ['GAME_TO_PLATFORM_BLOCKED']],
  ['refused', 409, {}, ['platform_to_game_blocked']],
  ['refused', 403, {}, ['CURRENCY_SEND_POLICY_VIOLATION']],
  ['refused', 403, {}, []],
  ['open', 403, {}, ['BRAND_NEW']],
  ['not_now', 403, {}, ['PASSKEY_RECOVERY_COOLDOWN']],
  ['not_now', 429, {}, ['velocity_limit_exceeded']],
  ['not_now', 429, {}, []],
  ['not_now', 503, {}, ['flow_paused']],
  ['open', 503, {}, []],
  ['refused', 400, {}, []],
  ['refused', 404, {}, []],
  ['refused', 422, {}, []],
  ['open', 500, {}, []],
  ['not_now', 401, {}, ['INVALID_GAME_SECRET']],
])('a start is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('send_start').read(answered(status, json, ...codes), SEND, null).class).toBe(expected);
});

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['done', 200, {}, []],
  ['done', 200, { status: 'approved', transaction_id: 'SND_1' }, []],
  ['contradiction', 200, { transaction_id: 'SND_2' }, []],
  ['open', 200, null, []],
  ['open', 201, {}, []],
  ['not_now', 202, {}, ['GUARDIAN_APPROVAL_PENDING']],
  ['open', 202, {}, []],
  ['open', 400, {}, ['TRANSFER_APPROVE_FAILED']],
  ['open', 400, { current_status: 'pending_claim' }, ['TRANSACTION_NOT_PENDING']],
  ['open', 400, {}, ['TRANSFER_APPROVE_FAILED', 'INVALID_INPUT']],
  ['not_now', 400, {}, ['DEVICE_APPROVAL_NOT_APPROVED']],
  ['not_now', 400, {}, ['INVALID_INPUT']],
  ['open', 400, {}, []],
  ['open', 500, {}, ['INVALID_INPUT']],
  ['not_now', 401, {}, ['SDK_TOKEN_MALFORMED']],
  ['open', 401, {}, []],
  ['refused', 403, {}, ['not_transfer_sender']],
  ['not_now', 403, {}, ['PASSKEY_RECOVERY_COOLDOWN']],
  ['open', 403, {}, []],
  ['open', 404, {}, []],
  ['refused', 410, {}, ['GUARDIAN_APPROVAL_REJECTED']],
  ['refused', 410, {}, ['GUARDIAN_APPROVAL_EXPIRED']],
  ['not_now', 503, {}, ['GUARDIAN_APPROVAL_CHECK_UNAVAILABLE']],
  ['not_now', 503, {}, ['sdk_verification_disabled']],
  ['open', 503, {}, []],
])('an approval of a send is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('send_approve').read(answered(status, json, ...codes), APPROVE, null).class).toBe(expected);
});

const HOUR = 3_600_000;
const status: SendingStatus = { now: HOUR, unanswered_count: 0, firstSentAt: HOUR, lastSentAt: HOUR, lastClass: null, sendAt: HOUR };

test('a start waits for the phone, or is read until people decide; nothing refuses it after a call that may have been executed', () => {
  const { next } = protocolOf('send_start');
  const read = { state: 'checking', readAt: HOUR, settleUntil: HOUR + 15 * 60_000 };
  expect(next('started', { ...status, unanswered_count: 1 })).toEqual({ state: 'with_player' });
  expect([next('refused', status), next('not_now', status)]).toEqual([{ state: 'refused' }, { state: 'approved' }]);
  for (const answer of ['refused', 'not_now', 'open', 'no_answer'] as const)
    expect(next(answer, { ...status, unanswered_count: 1 })).toEqual(read);
});

test('an approval is sent once; its status decides to the end of the window and a while longer', () => {
  const { next, repeats, judge, inPath } = protocolOf('send_approve');
  expect([repeats, inPath(APPROVE)]).toEqual(['never', 'SND_1']);
  const windowEndsAt = HOUR + 600_000;
  expect(next('open', { ...status, windowEndsAt })).toEqual({ state: 'checking', readAt: HOUR, settleUntil: windowEndsAt + 900_000 });
  const reading = (verification_state: string | null, transaction_status: string | null = null) => ({
    kind: 'status' as const,
    transaction_id: 'SND_1',
    verification_state,
    transaction_status,
    amount: null,
    net_amount: null,
    claim_expires_at: null,
  });
  const facts = { version: 1 as const, request: APPROVE, wallet: null, order: null, cards: null, read_at: '2026-11-21T12:00:00Z' };
  const judged = ['approved', 'completed', 'expired', 'failed', 'awaiting', null].map((state) =>
    judge(reading(state), { ...status, facts }),
  );
  expect(judged).toEqual(['open', 'done', 'not_done', 'not_done', 'open', 'open']);
  expect(judge(reading(null, 'pending_claim'), { ...status, facts })).toBe('done');
});

test('a body has exactly the documented fields; a bad amount, game or transaction is no request', () => {
  const sender = { name: 'House', email: 'house@players.example', phone: '+4915100910031' };
  const body = protocolOf('send_start').write(SEND, { reference: 'key', email: 'asa@players.example', entered: '+4915112345678', sender });
  expect(JSON.parse(body)).toEqual({
    client_request_id: 'key',
    sender_player_name: 'House',
    sender_player_email: 'house@players.example',
    sender_player_phone: '+4915100910031',
    receiver_player_email: 'asa@players.example',
    receiver_player_phone: '+4915112345678',
    receiving_game_id: 41207,
    amount: '25.00',
  });
  const context = { reference: null, email: null, entered: null, deviceCode: 'dvc' };
  expect(protocolOf('send_approve').write(APPROVE, context)).toBe('{"device_code":"dvc"}');
  for (const changed of [
    { amount: '0.00' },
    { amount: '1.001' },
    { amount: '-1.00' },
    { receiving_game_id: '../1' },
    { receiver_phone_end: '123' },
  ])
    expect(protocolOf('send_start').parseRequest({ ...SEND, ...changed })).toBeNull();
  expect(protocolOf('send_approve').parseRequest({ ...APPROVE, transaction_id: '../secrets' })).toBeNull();
});

test('the class of a start stored under its earlier name is read as today’s, and an unknown one as an error', () => {
  expect([parseAnswerClass('goes_on'), parseAnswerClass('started'), parseAnswerClass(null)]).toEqual(['started', 'started', null]);
  expect(() => parseAnswerClass('brand_new')).toThrow('unknown stored value');
});
