// @module-tag no-retry
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS, SENDER } from '#e2e/support/actions/action-environment.ts';
import { findViolations } from '#e2e/support/actions/find-violations.ts';
import { listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
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
  const { state, result, attempts } = await testEnv.find(actionId);
  expect(formatNamedFields(state, result?.['named_fields'])).toContain('player_email');
  expect(attempts).toMatchObject([{ status: 400, class: 'open' }]);
  await halfAnHourLater();
  expect((await testEnv.find(actionId)).state).toBe('not_done');
  expect(await testEnv.executed('claim-transfer')).toMatchObject([{ executions: 0, calls: 1 }]);
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
