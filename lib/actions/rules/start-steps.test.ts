import { expect, test } from 'vitest';
import type { AnswerClass, Fields } from './protocol.ts';
import { groupOf, protocolOf, type RawAnswer } from './protocols.ts';
import { mayTextOwner } from './start-steps.ts';

// Written from document 3 (Phone-share approval, Device grant) and the page on desk actions.
const TEXT = { start_id: 1, start_kind: 'transfer_start' };
const PHONE = { ...TEXT, transaction_id: 'TRF_1', decision: 'deny' };
const answered = (status: number, json: Fields | null, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['done', 200, { status: 'success', code_sent: true }, []],
  ['done', 202, {}, []],
  ['open', 200, {}, ['INTERNAL_ERROR']],
  ['open', 200, null, []],
  ['not_now', 401, {}, []],
  ['not_now', 429, {}, []],
  ['not_now', 403, {}, ['PASSKEY_RECOVERY_COOLDOWN']],
  ['refused', 400, {}, ['INVALID_FIELD_VALUE']],
  ['refused', 403, {}, ['BRAND_NEW']],
  ['open', 400, {}, []],
  ['open', 500, {}, ['INTERNAL_ERROR']],
  ['open', 302, {}, []],
])('a text to an owner, and an answer to a new phone, is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('owner_text').read(answered(status, json, ...codes), TEXT).class).toBe(expected);
  expect(protocolOf('phone_enrolment').read(answered(status, json, ...codes), PHONE).class).toBe(expected);
});

test('neither is sent again, and without an answer time ends it', () => {
  const status = { now: 5, unanswered_count: 1, firstSentAt: 0, lastSentAt: 0, lastClass: null, sendAt: 0 };
  for (const kind of ['owner_text', 'phone_enrolment'] as const) {
    const { repeats, next } = protocolOf(kind);
    expect([repeats, next('open', status)]).toEqual(['never', { state: 'unknown', settleUntil: 15 * 60_000 + 5 }]);
    expect([next('done', status), next('not_now', status)]).toEqual([{ state: 'done' }, { state: 'refused' }]);
  }
});

test('bodies have exactly the documented fields, and a phone is in no digest', () => {
  const context = { reference: null, email: 'dara@players.example', entered: '+4915100910029' };
  expect(protocolOf('owner_text').write(TEXT, context)).toBe('{"phone":"+4915100910029","email":"dara@players.example"}');
  expect(protocolOf('owner_text').writeDigested(TEXT, context)).toBe('{"phone":null,"email":"dara@players.example"}');
  expect(protocolOf('phone_enrolment').write(PHONE, { ...context, deviceCode: 'dvc' })).toBe('{"device_code":"dvc","decision":"deny"}');
});

test('a new phone is approved for a house account only', () => {
  const { parseRequest } = protocolOf('phone_enrolment');
  expect(parseRequest(PHONE)).not.toBeNull();
  expect(parseRequest({ ...PHONE, decision: 'approve' })).toBeNull();
  expect(parseRequest({ ...PHONE, start_kind: 'send_start', house_player_id: 7, decision: 'approve' })).not.toBeNull();
});

test('the group of a start turns its steps on', () => {
  expect([groupOf('owner_text', TEXT), groupOf('phone_enrolment', { ...PHONE, start_kind: 'send_start' })]).toEqual(['transfers', 'sends']);
  expect(groupOf('payment_link', {})).toBe('payments');
});

test('an owner is texted where Invo reported that it sent no text, and nobody requested one since', () => {
  const heldAt = '2026-11-21T12:00:00.000Z';
  const held = { heldAt };
  const texted = (state: 'done' | 'unknown' | 'refused', requestedAt = '2026-11-21T12:00:01.000Z') => [
    { kind: 'owner_text' as const, state, requestedAt },
  ];
  expect(mayTextOwner({ code_sent: false, cooldown_seconds: null, rate_limited: null }, held, [])).toBe(true);
  expect(mayTextOwner({ code_sent: true }, held, [])).toBe(false);
  expect(mayTextOwner({ code_sent: null }, held, [])).toBe(false);
  expect(mayTextOwner({ code_sent: false, cooldown_seconds: 12 }, held, [])).toBe(false);
  expect(mayTextOwner({ code_sent: false, rate_limited: true }, held, [])).toBe(false);
  expect(mayTextOwner({ code_sent: false }, held, texted('done'))).toBe(false);
  expect(mayTextOwner({ code_sent: false }, held, texted('unknown'))).toBe(false);
  expect(mayTextOwner({ code_sent: false }, held, texted('refused'))).toBe(true);
  expect(mayTextOwner({ code_sent: false }, held, texted('done', '2026-11-21T11:59:59.000Z'))).toBe(true);
});
