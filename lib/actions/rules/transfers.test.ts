import { expect, test } from 'vitest';
import type { AnswerClass, Fields } from './protocol.ts';
import { approvalOf, protocolOf, type RawAnswer } from './protocols.ts';

// Written from document 3 (Transfer initiate request, Initiate-transfer refusals, Approve request, Approve refusals) and the page on desk actions.
const START = { target_game_id: '41300', amount: '100.00', player_phone_end: '78' };
const APPROVE = { start_id: 1, transaction_id: 'TRF_1', window_ends_at: '2026-11-21T12:10:00Z' };
const STARTED = { status: 'success', transaction_id: 'TRF_1', new_balance: '4900.00', transfer_details: { amount_initiated: '100.00' } };
const GUARDED = { status: 'pending_guardian_approval', transaction_id: 'TRF_1', guardian_approval: { state: 'pending' } };
const APPROVED = { status: 'approved', next: 'pending_claim', transaction_id: 'TRF_1', claim_code: 'CLM-1' };
const answered = (status: number, json: Fields | null, ...codes: string[]): RawAnswer => ({ phase: 'answered', status, codes, json });

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['started', 201, STARTED, []],
  ['started', 202, GUARDED, ['pending_guardian_approval']],
  ['started', 409, { transaction_id: 'TRF_1' }, []],
  ['contradiction', 201, { ...STARTED, transfer_details: { amount_initiated: '10.00' } }, []],
  ['open', 201, { ...STARTED, transaction_id: undefined }, []],
  ['open', 201, null, []],
  ['open', 200, STARTED, []],
  ['open', 409, {}, []],
  ['open', 409, { transaction_id: 'TRF_1' }, ['INTERNAL_ERROR']],
  ['not_now', 409, {}, ['PHONE_SHARE_APPROVAL_REQUIRED']],
  ['not_now', 409, {}, ['phone_share_approval_required']],
  ['refused', 409, {}, ['PCSTORE_VALUE_NON_TRANSFERABLE']],
  ['refused', 409, {}, ['NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED']],
  ['refused', 403, {}, ['SOURCE_GAME_NOT_LIVE']],
  ['refused', 403, {}, ['TARGET_GAME_NOT_LIVE']],
  ['refused', 403, {}, ['TRANSFER_POLICY_VIOLATION']],
  ['refused', 403, {}, ['GUARDIAN_REQUIRED']],
  ['not_now', 403, {}, ['PASSKEY_RECOVERY_COOLDOWN']],
  ['open', 403, {}, []],
  ['open', 403, {}, ['BRAND_NEW']],
  ['not_now', 429, {}, []],
  ['not_now', 503, {}, ['flow_paused']],
  ['open', 503, {}, []],
  ['refused', 400, {}, []],
  ['refused', 422, {}, ['insufficient_balance']],
  ['open', 400, {}, ['INTERNAL_ERROR']],
  ['open', 500, {}, []],
  ['not_now', 401, {}, ['INVALID_GAME_SECRET']],
])('a start of a transfer is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('transfer_start').read(answered(status, json, ...codes), START, null).class).toBe(expected);
});

test.each<[AnswerClass, number, Fields | null, string[]]>([
  ['done', 200, APPROVED, []],
  ['done', 200, { status: 'approved' }, []],
  ['open', 200, { transaction_id: 'TRF_1', claim_code: 'CLM-1' }, []],
  ['open', 200, { ...APPROVED, status: 'pending' }, []],
  ['open', 200, APPROVED, ['TRANSFER_APPROVE_FAILED']],
  ['contradiction', 200, { ...APPROVED, transaction_id: 'TRF_2' }, []],
  ['not_now', 202, {}, ['GUARDIAN_APPROVAL_PENDING']],
  ['open', 400, {}, ['TRANSFER_APPROVE_FAILED']],
  ['open', 400, { current_status: 'pending_claim' }, ['TRANSACTION_NOT_PENDING']],
  ['not_now', 400, {}, ['DEVICE_APPROVAL_NOT_APPROVED']],
  ['open', 401, {}, []],
  ['refused', 403, {}, ['not_transfer_sender']],
  ['refused', 410, {}, ['GUARDIAN_APPROVAL_EXPIRED']],
  ['open', 503, {}, []],
])('an approval of a transfer is %s under HTTP %i with %j and codes %j', (expected, status, json, codes) => {
  expect(protocolOf('transfer_approve').read(answered(status, json, ...codes), APPROVE, null).class).toBe(expected);
});

test('the claim code passes to the screen only with an answer that moved the coins, and is in nothing that is stored', () => {
  const { read } = protocolOf('transfer_approve');
  const moved = read(answered(200, APPROVED), APPROVE);
  expect(moved.passes).toEqual({ what: 'claim_code', text: 'CLM-1' });
  expect(JSON.stringify(moved.result)).not.toContain('CLM-1');
  expect(read(answered(200, { ...APPROVED, transaction_id: 'TRF_2' }), APPROVE).passes).toBeNull();
  expect(read(answered(200, { status: 'approved' }), APPROVE).passes).toBeNull();
});

test('the body of a start has exactly the eight documented fields, with one number and one email for both ends', () => {
  const sender = { name: 'Asa Venn', email: 'asa@players.example', phone: null };
  const context = { reference: 'key', email: 'asa@players.example', entered: '+4915112345678', sender };
  expect(protocolOf('transfer_start').write(START, context)).toBe(
    JSON.stringify({
      client_request_id: 'key',
      source_player_name: 'Asa Venn',
      source_player_email: 'asa@players.example',
      source_player_phone: '+4915112345678',
      target_player_phone: '+4915112345678',
      target_game_id: '41300',
      amount: '100.00',
      target_player_email: 'asa@players.example',
    }),
  );
  expect(protocolOf('transfer_approve').write(APPROVE, { reference: null, email: null, entered: null, deviceCode: 'dvc' })).toBe(
    '{"device_code":"dvc"}',
  );
  for (const changed of [{ amount: '0.00' }, { amount: '1.001' }, { target_game_id: '0' }, { player_phone_end: '123' }])
    expect(protocolOf('transfer_start').parseRequest({ ...START, ...changed })).toBeNull();
});

test('an amount is covered by a player’s one currency only', () => {
  const { blockerOf } = protocolOf('transfer_start');
  const coins = (available_balance: string) => ({
    currency_id: '1',
    currency_name: 'Lumens',
    available_balance,
    reserved_balance: null,
    total_balance: null,
  });
  const facts = (...balances: ReturnType<typeof coins>[]) => ({
    version: 1 as const,
    wallet: { kind: 'wallet' as const, player_id: 1, balances },
    order: null,
    cards: null,
    read_at: '',
  });
  expect(blockerOf(START, facts(coins('100.00')))).toBeNull();
  expect(blockerOf(START, facts(coins('99.99')))).toBe('not_covered');
  expect(blockerOf(START, facts(coins('500.00'), coins('500.00')))).toBe('not_covered');
});

test('only a start has an approval, and neither is approved by another kind', () => {
  expect([approvalOf('send_start'), approvalOf('transfer_start'), approvalOf('transfer_approve'), approvalOf('claim')]).toEqual([
    'send_approve',
    'transfer_approve',
    null,
    null,
  ]);
});
