import { expect, test } from 'vitest';
import type { ActionFacts } from './action-facts.ts';
import type { AnswerClass, Fields, SendingStatus } from './protocol.ts';
import { protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 1 (Redeem response, Errors, Authentication) and the page on desk actions, not from the code.
const ENTRY = '00000000-0000-4000-8000-000000000001';
const REQUEST = { vault_entry_id: ENTRY, reward_ref: 'ref_1' };
const REDEEMED = {
  vault_entry_id: ENTRY,
  reward_ref: 'ref_1',
  state: 'redeemed',
  redeemed_at: '2026-11-21T12:00:00Z',
  code: 'RWD-1234-5678',
  code_masked: '••••5678',
  revealed_again: false,
  reveal_until: '2026-11-21T12:10:00Z',
};
const { read, next, judge, repeats, write, inPath } = protocolOf('redeem');
const answered = (status: number, json: Fields | null, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });
const NAMED = ['already_redeemed', 'vault_entry_not_found', 'vault_entry_expired'];

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['done', 200, REDEEMED, []],
  ['done', 200, { code: 'RWD-1' }, []],
  ['replayed', 200, { ...REDEEMED, revealed_again: true }, []],
  ['contradiction', 200, { ...REDEEMED, vault_entry_id: '00000000-0000-4000-8000-000000000002' }, []],
  ['open', 200, { ...REDEEMED, code: undefined }, []],
  ['open', 200, { ...REDEEMED, code: '' }, []],
  ['open', 200, REDEEMED, ['BRAND_NEW']],
  ['open', 201, REDEEMED, []],
  ['open', 202, {}, []],
  ['open', 200, null, []],
  ['not_now', 401, {}, []],
  ['not_now', 401, {}, ['unauthorized']],
  ['not_now', 401, {}, ['SDK_TOKEN_MALFORMED']],
  ['open', 401, {}, ['already_redeemed']],
  ['not_now', 403, {}, []],
  ['open', 403, {}, ['TENANT_NOT_MIGRATED']],
  ['open', 400, {}, []],
  ['open', 404, {}, []],
  ['open', 404, {}, ['BRAND_NEW']],
  ['open', 409, {}, []],
  ['open', 429, {}, []],
  ['open', 404, {}, ['vault_entry_not_found', 'INTERNAL_ERROR']],
  ['open', 500, {}, ['already_redeemed']],
  ['open', 503, {}, []],
])('a redemption is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(read(answered(status, json, ...codes), REQUEST).class).toBe(expected);
});

test.each(NAMED)('A12: %s refuses under any status of a refusal, in either case', (code) => {
  for (const status of [400, 404, 409, 410, 422]) {
    expect([status, read(answered(status, {}, code), REQUEST).class]).toEqual([status, 'refused']);
    expect([status, read(answered(status, {}, code.toUpperCase()), REQUEST).class]).toEqual([status, 'refused']);
  }
});

test('the code passes to the screen where Invo redeemed, and no part of it is stored', () => {
  const { passes, result } = read(answered(200, REDEEMED), REQUEST);
  expect(passes).toEqual({ what: 'reward_code', text: 'RWD-1234-5678' });
  expect(JSON.stringify(result)).not.toContain('5678');
  expect(read(answered(500, REDEEMED), REQUEST).passes).toBeNull();
  expect(read(answered(200, { ...REDEEMED, vault_entry_id: 'another' }), REQUEST).passes).toBeNull();
});

const HOUR = 3_600_000;
const status: SendingStatus = { now: HOUR, unanswered_count: 1, firstSentAt: HOUR, lastSentAt: HOUR, lastClass: null, sendAt: HOUR };

test('a redemption is sent once, without a body, and without an answer people look', () => {
  expect([repeats, write(REQUEST, { reference: null, email: 'asa@players.example', entered: null }), inPath(REQUEST)]).toEqual([
    'never',
    '',
    ENTRY,
  ]);
  for (const answer of ['open', 'no_answer'] as const)
    expect(next(answer, status)).toEqual({ state: 'checking', readAt: 25 * HOUR, settleUntil: 25 * HOUR });
  expect(next('not_now', { ...status, unanswered_count: 0 })).toEqual({ state: 'refused' });
  expect(next('contradiction', status)).toEqual({ state: 'attention', reason: 'answer_contradicts' });
});

test.each([
  ['redeemed', 0, 'done'],
  ['unlocked', 29, 'open'],
  ['unlocked', 30, 'not_done'],
  ['reserved', 30, 'open'],
  ['revoked', 30, 'open'],
  ['expired', 30, 'open'],
  [null, 30, 'open'],
])('a reward that is %s %i minutes after the call says %s', (state, minutes, judged) => {
  const facts: ActionFacts = { version: 1, request: REQUEST, wallet: null, order: null, cards: null, read_at: '2026-11-21T12:00:00Z' };
  const unread = { reward_ref: null, expires_at: null, can_reveal_again: null, reveal_until: null };
  const reading = { kind: 'vault' as const, vault_entry_id: ENTRY, state, ...unread };
  expect(judge(reading, { ...status, now: HOUR + minutes * 60_000, facts })).toBe(judged);
});

test('a reward is named by its UUID only', () => {
  for (const vault_entry_id of ['../secrets', '', 'all', `${ENTRY}/redeem`])
    expect(protocolOf('redeem').parseRequest({ ...REQUEST, vault_entry_id })).toBeNull();
});
