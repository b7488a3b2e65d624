import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { openPlayerEnvironment, type PlayerEnvironment, REWARDS, redemptionOf } from '#e2e/support/actions/player-environment.ts';
import { listTablesHolding } from '#e2e/support/test-environment.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { recordOutcome, rereadAction } from './decide-outcome.ts';
import { showVault } from './show-vault.ts';
import { verifyActions } from './verify-actions.ts';

let testEnv: PlayerEnvironment;
beforeAll(async () => {
  testEnv = await openPlayerEnvironment();
});
beforeEach(async () => {
  await testEnv.pool.query(`update desk_action set state = 'withdrawn', next_look_at = null where state = 'awaiting_approval'`);
  testEnv.upstream.reset();
});
afterAll(() => testEnv.close());

const press = async (actionId: number) => await testEnv.press(testEnv.people.sam, actionId);
const fail = async (kind: string, more: object = {}): Promise<unknown> =>
  await testEnv.control('POST', 'faults', [{ kind, match: { route: 'redeem' }, ...more }]);
const reread = async (actionId: number) => await rereadAction(testEnv.context, testEnv.people.sara, actionId);
const redeems = async (): Promise<number> => (await testEnv.executed('redeem')).reduce((sum, { calls }) => sum + calls, 0);

test('A12: a reward is redeemed once, and its code goes to the requester alone', async () => {
  const actionId = await testEnv.approved(REWARDS.unlocked);
  expect(await testEnv.press(testEnv.people.sara, actionId)).toEqual({ ok: false, reason: 'not_allowed' });
  const sent = await press(actionId);
  expect(sent).toMatchObject({ ok: true, state: 'done', passes: { what: 'reward_code', text: expect.stringMatching(/^RWD-/) } });
  expect(await press(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await testEnv.find(actionId)).toMatchObject({
    state: 'done',
    outcomeSource: 'answer',
    result: { state: 'redeemed', has_code: true },
  });
  expect(await redeems()).toBe(1);
  expect(await listTablesHolding(testEnv.pool, new RegExp(testEnv.passedBy(sent)?.text ?? 'none'))).toEqual([]);
  // Each token is in the audit with the person who had it.
  const { rows } = await testEnv.pool.query(
    `select distinct actor, detail->>'purpose' as purpose from audit where act = 'acted as a player' and subject = $1 order by 1`,
    [`player ${PLAYERS.asa}`],
  );
  expect(rows.map(({ actor }) => actor)).toEqual(['fiona@studio.example', 'sam@studio.example']);
});

test('A12: a redeemed reward shows its code again, as an action of its own, until Invo shows it no more', { tags: ['proof'] }, async () => {
  const first = testEnv.passedBy(await press(await testEnv.approved(REWARDS.unlocked)));
  const again = await press(await testEnv.approved(REWARDS.unlocked));
  expect(again).toMatchObject({ ok: true, state: 'done', passes: first });
  expect(await testEnv.executed('redeem')).toMatchObject([{ executions: 1, calls: 2 }]);
  const { now } = (await testEnv.control('GET', 'clock')) as { now: string };
  await testEnv.control('POST', 'clock', { now: new Date(Date.parse(now) + 11 * 60_000).toISOString() });
  expect(await testEnv.request(testEnv.people.sam, redemptionOf(REWARDS.unlocked))).toEqual({
    ok: false,
    reason: 'blocked',
    blocker: 'code_shown_before',
  });
  expect(await redeems()).toBe(2);
});

test('A12: a redemption that was lost is not repeated: the vault says what happened', async () => {
  const actionId = await testEnv.approved(REWARDS.unlocked);
  await fail('redeem_then_reset');
  expect(await press(actionId)).toMatchObject({ ok: true, state: 'done', passes: null });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'reading' });
  expect(await redeems()).toBe(1);
});

describe('when neither the answer nor the vault says what happened', () => {
  test('the worker reads nothing as the player, and a person looks in the vault', { tags: ['proof'] }, async () => {
    const actionId = await testEnv.approved(REWARDS.unlocked);
    await fail('500');
    expect(await press(actionId)).toMatchObject({ ok: true, state: 'checking' });
    const tokens = async (): Promise<number> => (await testEnv.executed('player-token')).reduce((sum, { calls }) => sum + calls, 0);
    const before = await tokens();
    await testEnv.settle();
    expect([await tokens(), (await testEnv.find(actionId)).state]).toEqual([before, 'checking']);
    expect(await reread(actionId)).toEqual({ ok: true });
    expect((await testEnv.find(actionId)).state).toBe('checking');
    await testEnv.lookLater(actionId);
    expect((await testEnv.find(actionId)).state).toBe('not_done');
    expect(await redeems()).toBe(1);
  });

  test('a day later people decide, one of them by a reading of their own', { tags: ['proof'] }, async () => {
    const actionId = await testEnv.approved(REWARDS.unlocked);
    await fail('500');
    await press(actionId);
    await testEnv.control('POST', 'vault', { vault_entry_id: REWARDS.unlocked, outcome: 'revoked' });
    expect(await reread(actionId)).toEqual({ ok: true });
    await testEnv.makeDue();
    await testEnv.settle();
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'attention', attentionReason: 'not_settled' });
    expect(await reread(actionId)).toEqual({ ok: true });
    const { game } = testEnv.context;
    const done = { actionId, decision: 'done', text: 'The player has the code.' } as const;
    expect(await recordOutcome(game, testEnv.people.sara, done)).toEqual({ ok: true });
    expect(await testEnv.find(actionId)).toMatchObject({ state: 'done', outcomeSource: 'people' });
  });
});

test('A12: only a reward that the player holds and may redeem has a form, and only while redemptions are on', {
  tags: ['proof'],
}, async () => {
  const { sam } = testEnv.people;
  const blocked = async (entryId: string) => await testEnv.request(sam, redemptionOf(entryId), { isAlikeConfirmed: true });
  expect(await blocked(REWARDS.reserved)).toEqual({ ok: false, reason: 'blocked', blocker: 'reward_state' });
  expect(await blocked('00000000-0000-4000-8000-000000000099')).toEqual({ ok: false, reason: 'blocked', blocker: 'no_reward' });
  await testEnv.control('POST', 'shape', { 'player-token': 'disabled' });
  expect(await blocked(REWARDS.unlocked)).toMatchObject({
    ok: false,
    reason: 'no_answer',
    error: { sentence: expect.stringContaining('setting') },
  });
  await testEnv.control('POST', 'shape', { 'player-token': null });
  await testEnv.pool.query(`update action_switch set is_on = false where action_group = 'rewards'`);
  expect(await blocked(REWARDS.unlocked)).toEqual({ ok: false, reason: 'switched_off' });
  expect(await showVault(testEnv.context, sam, PLAYERS.asa)).toEqual({ ok: false, reason: 'switched_off' });
  await testEnv.pool.query(`update action_switch set is_on = true where action_group = 'rewards'`);
  expect(await showVault(testEnv.context, sam, PLAYERS.asa)).toMatchObject({ ok: true, vault: { length: 5 } });
});

test('a reward that changed after its approval is not redeemed', { tags: ['proof'] }, async () => {
  const actionId = await testEnv.approved(REWARDS.unlocked);
  await testEnv.control('POST', 'vault', { vault_entry_id: REWARDS.unlocked, outcome: 'revoked' });
  expect(await press(actionId)).toEqual({ ok: false, reason: 'changed' });
  expect([(await testEnv.find(actionId)).state, await redeems()]).toEqual(['lapsed', 0]);
});

test('verified redemptions follow from the audit', async () => {
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  expect(findings.violations).toEqual([]);
});
