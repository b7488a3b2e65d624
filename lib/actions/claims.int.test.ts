// @module-tag no-retry
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { pressAction } from './press-action.ts';
import { digestShown } from './read-action-facts.ts';
import { protocolOf } from './rules/protocols.ts';
import type { SendResult } from './send-approved.ts';
import { formatNamedFields } from './state-text.ts';
import { verifyActions } from './verify-actions.ts';

const proof = { tags: ['proof'] };

let testEnv: ActionEnvironment;
const opened: ActionEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openActionEnvironment();
  opened.push(testEnv);
  await testEnv.pool.query(`insert into action_switch (game_id, action_group, is_on) select game_id, 'transfers', true from game`);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const CLAIM = { kind: 'claim', transactionId: 'TRF_IN' } as const;
const CODE = 'canary-claim-code-TRF_IN';

const requested = async (entered = CODE): Promise<number> => {
  const answer = await testEnv.request(testEnv.people.sam, CLAIM, { entered });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.actionId;
};
const press = async (actionId: number, entered = CODE): Promise<SendResult> =>
  await testEnv.press(testEnv.people.sam, actionId, SENDER, entered);
/** The worker's turn half an hour after the call. */
const halfAnHourLater = async (): Promise<void> => {
  await testEnv.pool.query(
    `alter table desk_action disable trigger desk_action_kept; update desk_action set last_sent_at = last_sent_at - interval '31 minutes', next_look_at = clock_now() where state = 'checking';
     alter table desk_action enable trigger desk_action_kept`,
  );
  await testEnv.settle();
};

test('A14: the right code collects once, and neither it nor its digest is in any table', async () => {
  const actionId = await requested();
  expect(await testEnv.find(actionId)).toMatchObject({ playerId: PLAYERS.asa, state: 'approved' });
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.find(actionId)).toMatchObject({ outcomeSource: 'reading', result: { amount_received: '76.00' } });
  expect(await press(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await listTablesHolding(testEnv.pool, /canary-claim/)).toEqual([]);
  expect(await testEnv.request(testEnv.people.sam, CLAIM, { entered: CODE })).toMatchObject({ blocker: 'transfer_state' });
  expect(await findViolations(testEnv, actionId, { isAtRest: true })).toEqual([]);
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  expect(findings.violations).toEqual([]);
});

test('A14: a wrong code is not done once half an hour later the transfer still waits, and only then another can be entered', async () => {
  const actionId = await requested('another-code');
  expect(await press(actionId, 'another-code')).toMatchObject({ ok: true, state: 'checking' });
  expect(await testEnv.request(testEnv.people.sam, CLAIM, { entered: CODE })).toMatchObject({ reason: 'another_open', actionId });
  await testEnv.makeDue();
  await testEnv.settle();
  expect((await testEnv.find(actionId)).state).toBe('checking');
  await halfAnHourLater();
  expect((await testEnv.find(actionId)).state).toBe('not_done');
  expect(await press(await requested())).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.executed('claim-transfer')).toContainEqual(expect.objectContaining({ subject: 'TRF_IN', executions: 1 }));
});

test('A14: an answer that tears after the coins moved is done by the status, after one call', proof, async () => {
  await testEnv.control('POST', 'faults', [{ kind: 'claim_then_torn', match: { route: 'claim-transfer' } }]);
  const actionId = await requested();
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.executed('claim-transfer')).toMatchObject([{ subject: 'TRF_IN', executions: 1, calls: 1 }]);
  expect((await testEnv.find(actionId)).attempts).toMatchObject([{ class: 'no_answer' }]);
});

test('A14: a claim that Invo answers with the fields it misses is settled by the status, and they are stored by name alone', {
  tags: ['proof'],
}, async () => {
  await testEnv.control('POST', 'shape', { 'claim-transfer': 'wants_player' });
  const actionId = await requested();
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'checking' });
  const { attempts, ...claimed } = await testEnv.find(actionId);
  expect(formatNamedFields(claimed, 400)).toContain('Invo asks for player_email.');
  expect(attempts).toMatchObject([{ status: 400, class: 'open' }]);
  await halfAnHourLater();
  expect((await testEnv.find(actionId)).state).toBe('not_done');
  expect(await testEnv.executed('claim-transfer')).toMatchObject([{ executions: 0, calls: 1 }]);
});

const PHONE = '+4915112345678';

test('A14: the fields of the player that a 400 names are sent with the next claim: the email of the wallet, the phone as it is typed', async () => {
  await testEnv.control('POST', 'shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
  const first = await requested();
  expect(await press(first)).toMatchObject({ ok: true, state: 'checking' });
  await halfAnHourLater();
  expect((await testEnv.find(first)).state).toBe('not_done');
  // Neither a form without the phone, nor one from before that answer, is a request.
  expect(await testEnv.request(testEnv.people.sam, CLAIM, { entered: CODE })).toEqual({ ok: false, reason: 'not_a_request' });
  const before = digestShown({ ...(await testEnv.find(first)).facts }, protocolOf('claim').decidingOf);
  const withPhone = { ...CLAIM, phone: '+49 151 12345678' };
  expect(await testEnv.request(testEnv.people.sam, withPhone, { entered: CODE, shown: before })).toEqual({ ok: false, reason: 'changed' });
  const second = await testEnv.request(testEnv.people.sam, withPhone, { entered: CODE });
  if (!second.ok) throw new Error(JSON.stringify(second));
  const { actionId } = second;
  const { facts } = await testEnv.find(actionId);
  expect(facts.request).toMatchObject({ player_fields: ['player_email', 'player_phone'], player_phone_end: '78' });
  // Another phone isn't what was requested; the same one is typed again at the press.
  expect(await testEnv.press(testEnv.people.sam, actionId, SENDER, CODE)).toEqual({ ok: false, reason: 'other_entry' });
  const other = await pressAction(testEnv.context, testEnv.people.sam, actionId, SENDER, CODE, '+4915112345670');
  expect(other).toEqual({ ok: false, reason: 'other_entry' });
  expect(await testEnv.executed('claim-transfer')).toMatchObject([{ executions: 0, calls: 1 }]);
  expect(await pressAction(testEnv.context, testEnv.people.sam, actionId, SENDER, CODE, PHONE)).toMatchObject({ ok: true, state: 'done' });
  expect(await testEnv.find(actionId)).toMatchObject({ outcomeSource: 'reading', attempts: [{ status: 200 }] });
  expect(await testEnv.executed('claim-transfer')).toMatchObject([{ subject: 'TRF_IN', executions: 1, calls: 2 }]);
  expect(await listTablesHolding(testEnv.pool, /canary-claim|4915112345678|151 12345678/)).toEqual([]);
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  expect(findings.violations).toEqual([]);
});

test.each([
  ['wants_player_region', 'player_region'],
  ['wants_otp+wants_sms_code', 'sms_code and otp'],
])('a field that Sharebook can’t send is named and never offered: %s', proof, async (shape, named) => {
  await testEnv.control('POST', 'shape', { 'claim-transfer': shape });
  const actionId = await requested();
  await press(actionId);
  await halfAnHourLater();
  const claimed = await testEnv.find(actionId);
  expect(formatNamedFields(claimed, claimed.attempts[0]?.status ?? null)).toBe(
    `Invo asks for ${named}, which Sharebook can’t send. Quote this to Invo.`,
  );
  // The next claim is the same body once more.
  const next = await testEnv.find(await requested());
  expect(next.facts).not.toHaveProperty('claim_fields');
  expect(next.facts.request).toEqual({ transaction_id: 'TRF_IN', target_currency_id: 311 });
});

test('a phone whose owner must agree ends it as refused, and a new one can be requested', proof, async () => {
  await testEnv.control('POST', 'faults', [
    { kind: 'refuse', status: 409, code: 'PHONE_SHARE_APPROVAL_REQUIRED', match: { route: 'claim-transfer' } },
  ]);
  expect(await press(await requested())).toMatchObject({ ok: true, state: 'refused' });
  expect(await press(await requested())).toMatchObject({ ok: true, state: 'done' });
});

test('a transfer that isn’t into this game, and a code that is none, are refused unsent', async () => {
  for (const [transactionId, blocker] of [
    ['TRF_NONE', 'transfer_not_found'],
    ['TRF_CLAIM', 'transfer_elsewhere'],
  ])
    expect(await testEnv.request(testEnv.people.sam, { ...CLAIM, transactionId: transactionId ?? '' }, { entered: CODE })).toMatchObject({
      blocker,
    });
  for (const entered of ['', '4242424242424242', 'a code'])
    expect(await testEnv.request(testEnv.people.sam, CLAIM, { entered })).toEqual({ ok: false, reason: 'not_a_request' });
  expect(await testEnv.executed('claim-transfer')).toEqual([]);
});
