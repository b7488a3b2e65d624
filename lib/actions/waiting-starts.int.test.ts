// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOLDER, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { anyOf, listTablesHolding } from '#e2e/support/test-environment.ts';
import type { Actor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { answerPhone, textOwner } from './answer-phone.ts';
import { approveAction, declineAction } from './approve-action.ts';
import { watchPhone } from './ask-phone.ts';
import { watchOwner } from './phone-owner.ts';
import { pressAction } from './press-action.ts';
import { verifyActions } from './verify-actions.ts';

// Cases A10 and A11 of the page on desk actions: starts that wait for a guardian, or for the owner of a phone, before their own phone is needed.
const proof = { tags: ['proof'] };
const MINUTE = 60_000;
const CATO = { playerId: 910_028, phone: '+4915100910028', amount: '20.00' };
const DARA = { playerId: 910_029, phone: '+4915100910029', amount: '20.00', email: 'dara.finch@players.example' };

let testEnv: SendEnvironment;
let startedAt = '';
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(async () => {
  await testEnv.startOver();
  startedAt = String((await testEnv.control('GET', 'clock'))['now']);
});
afterAll(() => testEnv.close());

const passMinutes = async (minutes: number): Promise<unknown> =>
  await testEnv.control('POST', 'clock', { now: new Date(Date.parse(startedAt) + minutes * MINUTE).toISOString() });
const guardian = async (actionId: number, outcome: string): Promise<unknown> =>
  await testEnv.control('POST', 'guardian', { transaction_id: await testEnv.transactionOf(actionId), outcome });
const workerTurn = async (): Promise<void> => {
  await testEnv.makeDue();
  await testEnv.settle();
};
const guarded = async (): Promise<number> => {
  const actionId = await testEnv.transferApproved(CATO);
  expect(await testEnv.start(actionId, CATO.phone)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.find(actionId)).toMatchObject({ waiting: { for: 'guardian' } });
  return actionId;
};

test('A10: a guardian agrees after seven minutes, and only then a grant begins', async () => {
  const actionId = await guarded();
  expect(await testEnv.ask(actionId)).toEqual({ ok: false, reason: 'guardian_pending' });
  await passMinutes(7);
  await guardian(actionId, 'approve');
  await testEnv.makeDue();
  // A screen that waits reads the answer.
  await watchPhone(testEnv.context, testEnv.people.sam, actionId, HOLDER);
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'with_player', waiting: { for: 'phone' } });
  expect(await testEnv.ask(actionId)).toMatchObject({ ok: true });
  await testEnv.phone('approve');
  await testEnv.watch(actionId);
  expect(await testEnv.move(actionId)).toMatchObject({ ok: true, passes: { what: 'claim_code' } });
  expect(await testEnv.stateOf(actionId)).toBe('done');
});

test('A10: a guardian declines, and the start ends without a grant', async () => {
  const actionId = await guarded();
  await guardian(actionId, 'reject');
  await workerTurn();
  expect(await testEnv.find(actionId)).toMatchObject({
    state: 'not_done',
    readings: [{ reading: { kind: 'guardian', state: 'rejected' } }],
  });
  expect(await testEnv.executed('device-begin')).toEqual([]);
});

test('A10: the window is over while the guardian is silent, and the start expires', proof, async () => {
  const actionId = await guarded();
  await workerTurn();
  expect(await testEnv.stateOf(actionId)).toBe('with_player');
  await passMinutes(11);
  await workerTurn();
  expect(await testEnv.stateOf(actionId)).toBe('lapsed');
});

test('A10: screens that watch read a guardian’s answer once within five seconds', proof, async () => {
  const actionId = await guarded();
  await testEnv.makeDue();
  const reads = async (): Promise<number> => (await testEnv.calls()).filter(({ path }) => path.endsWith('/approval-status')).length;
  const before = await reads();
  await Promise.all([1, 2, 3].map(async () => await watchPhone(testEnv.context, testEnv.people.sam, actionId, HOLDER)));
  expect((await reads()) - before).toBe(1);
});

const owner = async (outcome: 'yes' | 'no'): Promise<unknown> =>
  await testEnv.control('POST', 'owner', { phone: DARA.phone, player_email: DARA.email, outcome });
const seen = async (actionId: number): Promise<boolean | null> => {
  await testEnv.pool.query(`update held_phone set read_at = read_at - interval '5 seconds'`);
  return await watchOwner(testEnv.context, testEnv.people.sam, actionId, HOLDER.sealKey);
};
const proceed = async (actionId: number) => await pressAction(testEnv.context, testEnv.people.sam, actionId, HOLDER);
const held = async (): Promise<number> => {
  const actionId = await testEnv.transferApproved(DARA);
  expect(await testEnv.start(actionId, DARA.phone)).toMatchObject({ ok: true, state: 'approved' });
  expect(await testEnv.find(actionId)).toMatchObject({ result: { waits_for: 'owner' } });
  return actionId;
};

test('A11: the owner of a phone agrees, and the same key is sent once more', async () => {
  const actionId = await held();
  expect(await seen(actionId)).toBe(false);
  expect(await proceed(actionId)).toEqual({ ok: false, reason: 'not_agreed' });
  expect(await listTablesHolding(testEnv.pool, /15100910029/)).toEqual([]);
  await owner('yes');
  expect(await seen(actionId)).toBe(true);
  expect(await proceed(actionId)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.executed('initiate-transfer')).toMatchObject([{ executions: 1, calls: 2 }]);
  expect((await testEnv.pool.query('select count(*)::int as count from held_phone')).rows).toEqual([{ count: 0 }]);
});

test('A11: an owner who refuses looks like one who is silent, and nothing is sent', proof, async () => {
  const actionId = await held();
  await owner('no');
  expect([await seen(actionId), await proceed(actionId)]).toEqual([false, { ok: false, reason: 'not_agreed' }]);
  // Its requester ends it, so that another transfer of the player can be requested.
  const { sam, fiona } = testEnv.people;
  const decline = async (actor: Actor) => await declineAction(testEnv.context.game, actor, actionId, 'The owner said no.');
  expect(await decline(fiona)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await decline(sam)).toEqual({ ok: true });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'withdrawn' });
  expect((await testEnv.pool.query('select from held_phone')).rowCount).toBe(0);
  expect(await proceed(actionId)).toMatchObject({ ok: false });
  expect(await testEnv.executed('initiate-transfer')).toMatchObject([{ executions: 0, calls: 1 }]);
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  // The states of others were changed by tests.
  expect(findings.violations.filter(({ subject }) => subject === `desk action ${actionId}`)).toEqual([]);
});

test('A11: an owner who agreed before costs one repetition, at once', proof, async () => {
  await testEnv.control('POST', 'shape', { 'phone-share-initiate': 'already_approved' });
  const actionId = await testEnv.transferApproved(DARA);
  expect(await testEnv.start(actionId, DARA.phone)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.executed('initiate-transfer')).toMatchObject([{ executions: 1, calls: 2 }]);
});

test('A11: coins that may not leave are refused with what may, after one call', proof, async () => {
  const actionId = await testEnv.transferApproved({ playerId: 910_030, phone: '+4915100910030', amount: '60.00' });
  expect(await testEnv.start(actionId, '+4915100910030')).toMatchObject({ ok: true, state: 'refused' });
  expect(await testEnv.find(actionId)).toMatchObject({ result: { transferable_max: '40.00' }, attempt_count: 1 });
});

test.each(['plain', 'epoch'])('A11: a cooldown with a %s instant lasts as long as its countdown', proof, async (shape) => {
  await testEnv.control('POST', 'shape', { starts: shape });
  const fay = { playerId: 910_025, phone: '+4915100910025', amount: '20.00' };
  const actionId = await testEnv.transferApproved(fay);
  expect(await testEnv.start(actionId, fay.phone)).toMatchObject({ ok: true, state: 'approved' });
  const held = await testEnv.find(actionId);
  expect(held).toMatchObject({ waiting: { errorCode: 'PASSKEY_RECOVERY_COOLDOWN' } });
  expect(Math.round((Date.parse(held.takenAgainAt ?? '') - Date.parse(held.lastSentAt ?? '')) / 10_000)).toBe(60);
  const again = await testEnv.start(actionId, fay.phone);
  expect(again).toMatchObject({ ok: false, reason: 'wait' });
  expect(again.ok === false && again.reason === 'wait' ? Math.round(again.wait_ms / 10_000) : null).toBe(60);
  expect(await testEnv.executed('initiate-transfer')).toMatchObject([{ executions: 0, calls: 1 }]);
});

const textTo = async (startId: number) =>
  await textOwner(testEnv.context, testEnv.people.sam, { startId, draftId: crypto.randomUUID() }, HOLDER);

test('A11: the owner is texted by a press where Invo sent no text, once, and in no other case', async () => {
  await testEnv.control('POST', 'shape', { 'phone-share-initiate': 'not_texted' });
  const actionId = await held();
  await testEnv.control('POST', 'shape', { 'phone-share-initiate': 'plain' });
  expect(await textTo(actionId)).toMatchObject({ ok: true, sent: { state: 'done' } });
  expect(await textTo(actionId)).toEqual({ ok: false, reason: 'not_needed' });
  expect(await testEnv.executed('phone-share-initiate')).toMatchObject([{ executions: 1, calls: 1 }]);
  expect(await listTablesHolding(testEnv.pool, /15100910029/)).toEqual([]);
  await owner('yes');
  // A step of the start is none of its approvals: it continues with the phone.
  expect(await proceed(actionId)).toMatchObject({ ok: true, state: 'with_player' });
  await workerTurn();
  expect(await testEnv.stateOf(actionId)).toBe('with_player');
});

test('A11: within a cooldown, and above Invo’s limit, nobody is texted a second time', proof, async () => {
  const first = await held();
  expect(await textTo(first)).toEqual({ ok: false, reason: 'not_needed' });
  // The same number again within half a minute.
  expect(await testEnv.start(first, DARA.phone)).toMatchObject({ ok: true, state: 'approved' });
  expect(await testEnv.find(first)).toMatchObject({ result: { code_sent: false, cooldown_seconds: expect.any(Number) as unknown } });
  expect(await textTo(first)).toEqual({ ok: false, reason: 'not_needed' });
  await testEnv.control('POST', 'faults', [
    {
      kind: 'refuse',
      match: { route: 'initiate-transfer' },
      status: 409,
      code: 'PHONE_SHARE_APPROVAL_REQUIRED',
      facts: { code_sent: false, rate_limited: true, retry_after_seconds: 600 },
    },
  ]);
  await testEnv.start(first, DARA.phone);
  expect(await textTo(first)).toEqual({ ok: false, reason: 'not_needed' });
  expect(await testEnv.start(first, DARA.phone)).toMatchObject({ ok: false, reason: 'wait' });
  expect(await testEnv.executed('phone-share-initiate')).toEqual([]);
});

const answer = async (startId: number, decision: 'approve' | 'deny') =>
  await answerPhone(testEnv.context, testEnv.people.sam, { startId, draftId: crypto.randomUUID(), decision }, HOLDER);

test('a new phone of a player is denied, and never approved here', async () => {
  const actionId = await testEnv.transferApproved({ amount: '30.00' });
  await testEnv.start(actionId);
  await testEnv.ask(actionId);
  expect(await answer(actionId, 'deny')).toEqual({ ok: false, reason: 'moved_on' });
  await testEnv.phone('enrol');
  expect(await testEnv.watch(actionId)).toMatchObject({
    state: 'enrolling',
    enrolment: { device_label: expect.stringContaining('Pixel') as unknown, match_code: expect.any(String) as unknown },
  });
  expect(await answer(actionId, 'approve')).toEqual({ ok: false, reason: 'own_phone' });
  expect(await answer(actionId, 'deny')).toMatchObject({ ok: true, sent: { state: 'done' } });
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'declined', enrolment: null });
  expect(await listTablesHolding(testEnv.pool, anyOf(await testEnv.secretsGiven()))).toEqual([]);
  expect([await testEnv.stateOf(actionId), (await testEnv.executed('device-enrolment')).length]).toEqual(['with_player', 1]);
  // The next code is another question, and each is answered once.
  await testEnv.ask(actionId);
  await testEnv.phone('enrol');
  await testEnv.watch(actionId);
  expect(await answer(actionId, 'deny')).toMatchObject({ ok: true, sent: { state: 'done' } });
  expect(await answer(actionId, 'deny')).toMatchObject({ ok: false, reason: 'another_open' });
  expect((await testEnv.executed('device-enrolment')).length).toBe(2);
});

test('a new phone of a house account is set up by two people', proof, async () => {
  const startId = await testEnv.approved('31.00');
  await testEnv.start(startId);
  await testEnv.ask(startId);
  await testEnv.phone('enrol');
  await testEnv.watch(startId);
  const requested = await answer(startId, 'approve');
  expect(requested).toMatchObject({ ok: true, sent: null });
  expect(await testEnv.executed('device-enrolment')).toEqual([]);
  const actionId = requested.ok ? requested.actionId : 0;
  const { contentDigest } = await testEnv.find(actionId);
  expect(await approveAction(testEnv.context, testEnv.people.fiona, { actionId, contentDigest })).toEqual({ ok: true });
  expect(await proceed(actionId)).toMatchObject({ ok: true, state: 'done' });
  await testEnv.phone('approve');
  expect(await testEnv.watch(startId)).toMatchObject({ state: 'approved' });
  expect(await testEnv.move(startId)).toMatchObject({ ok: true });
  expect(await testEnv.stateOf(startId)).toBe('done');
});
