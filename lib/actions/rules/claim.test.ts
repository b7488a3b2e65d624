import { expect, test } from 'vitest';
import type { AnswerClass, Fields, SendingStatus } from './protocol.ts';
import { parseEntries, protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 3 (Endpoints, States and transitions, Phone-share approval) and the page on desk actions.
const REQUEST = { transaction_id: 'TRF_1', target_currency_id: 311 };
const { read, next, judge, write, writeDigested, parseRequest } = protocolOf('claim');
const answered = (status: number, json: Fields, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });
const MINUTE = 60_000;

test.each<[AnswerClass, number, Fields, string[]]>([
  ['open', 200, { status: 'success', transaction_id: 'TRF_1' }, []],
  ['open', 200, {}, []],
  ['contradiction', 200, { transaction_id: 'TRF_2' }, []],
  ['open', 400, {}, []],
  ['open', 400, {}, ['CLAIM_REFUSED']],
  ['open', 404, {}, []],
  ['open', 409, { transaction_id: 'TRF_1', current_status: 'completed' }, []],
  ['refused', 409, {}, ['PHONE_SHARE_APPROVAL_REQUIRED']],
  ['open', 409, {}, ['PHONE_SHARE_APPROVAL_REQUIRED', 'INTERNAL_ERROR']],
  ['open', 400, {}, ['PHONE_SHARE_APPROVAL_REQUIRED']],
  ['not_now', 401, {}, ['INVALID_GAME_SECRET']],
  ['open', 401, {}, []],
  ['open', 429, {}, []],
  ['open', 500, {}, []],
])('a claim is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(read(answered(status, json, ...codes), REQUEST).class).toBe(expected);
});

test('it is sent once, and after any answer that could have collected the status decides', () => {
  const status: SendingStatus = { now: 5, unanswered_count: 1, firstSentAt: 0, lastSentAt: 0, lastClass: null, sendAt: 0 };
  for (const answer of ['done', 'replayed', 'open', 'no_answer'] as const)
    expect(next(answer, status)).toEqual({ state: 'checking', readAt: 5, settleUntil: 24 * 60 * MINUTE });
  for (const answer of ['refused', 'not_now'] as const) expect(next(answer, status)).toEqual({ state: 'refused' });
});

test.each([
  ['done', 'completed', 'completed', 0],
  ['open', 'approved', 'pending_claim', 29],
  ['not_done', 'approved', 'pending_claim', 30],
  ['not_done', 'expired', 'refunded', 1],
  ['not_done', 'failed', 'failed', 1],
  ['open', 'paused_by_operator', 'under_review', 600],
])('a claim is %s where the status is %s and %s, %i minutes after the call', (judged, verification_state, transaction_status, minutes) => {
  const facts = { version: 1 as const, request: REQUEST, wallet: null, order: null, cards: null, read_at: '' };
  const times = { now: minutes * MINUTE, unanswered_count: 1, firstSentAt: 0, lastSentAt: 0, lastClass: null, facts };
  const reading = {
    transaction_id: 'TRF_1',
    transaction_status,
    verification_state,
    amount: null,
    net_amount: null,
    claim_expires_at: null,
  };
  expect(judge({ kind: 'status', ...reading }, times)).toBe(judged);
});

test('the code is in the body, and not in what its digest covers', () => {
  const context = { reference: null, email: 'asa@players.example', entered: 'CODE-1' };
  expect(write(REQUEST, context)).toBe('{"claim_code":"CODE-1","target_currency_id":311}');
  expect(writeDigested(REQUEST, context)).toBe('{"claim_code":null,"target_currency_id":311}');
});

test('what Invo named is sent after the documented fields in one order, and of the phone the digest covers the end alone', () => {
  const context = { reference: null, email: 'asa@players.example', entered: 'CODE-1', phone: '+4915112345678' };
  const both = { ...REQUEST, player_fields: ['player_email', 'player_phone'], player_phone_end: '78' };
  expect(write(both, context)).toBe(
    '{"claim_code":"CODE-1","target_currency_id":311,"player_email":"asa@players.example","player_phone":"+4915112345678"}',
  );
  expect(writeDigested(both, context)).toBe(
    '{"claim_code":null,"target_currency_id":311,"player_email":"asa@players.example","player_phone":"78"}',
  );
  expect(write({ ...REQUEST, player_fields: ['player_email'] }, context)).toBe(
    '{"claim_code":"CODE-1","target_currency_id":311,"player_email":"asa@players.example"}',
  );
  expect(write(REQUEST, context)).toBe('{"claim_code":"CODE-1","target_currency_id":311}');
});

test.each([
  { player_fields: ['player_phone'] },
  { player_phone_end: '78' },
  { player_fields: ['otp'] },
  { player_fields: ['player_email', 'sms_code'] },
  { player_fields: ['player_phone'], player_phone_end: '+4915112345678' },
])('a request with %o is none', (more) => expect(parseRequest({ ...REQUEST, ...more })).toBeNull());

test('the phone must be entered where it is sent, and is dropped where it isn’t', () => {
  const enter = (request: object, typedPhone: string) => parseEntries('claim', request, { typed: 'CODE-1', typedPhone });
  const withPhone = { ...REQUEST, player_fields: ['player_phone'], player_phone_end: '78' };
  expect(enter(withPhone, '+49 151 12345678')).toEqual({ entered: 'CODE-1', phone: '+4915112345678' });
  expect([enter(withPhone, ''), enter(withPhone, '12345678')]).toEqual([undefined, undefined]);
  expect(enter(REQUEST, '+4915112345678')).toEqual({ entered: 'CODE-1' });
});

test.each<[string | null, Fields]>([
  ['player_email', { error: 'player_email is required.', field: 'player_email' }],
  ['player_email, player_phone', { fields: ['player_email', 'player_phone', 'player_email'] }],
  ['player_email', { errors: [{ field: 'player_email', message: 'is required' }] }],
  ['player_phone', { errors: { player_phone: ['is required'] } }],
  ['otp, sms_code', { fields: ['otp', 'sms_code'] }],
  [null, { field: 'claim' }],
  [null, { field: 'CLM-7K2Q-9Z8Y', fields: ['a1_b2', '+4915112345678', 'asa.venn@players.example'], missing_fields: [7, null] }],
  [null, {}],
])('an answer names the fields %s, and nothing that was entered', (fields, json) => {
  expect(read(answered(400, json), REQUEST).result).toMatchObject({ named_fields: fields });
});
