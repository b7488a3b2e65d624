// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { findUnaccounted } from '#e2e/support/actions/find-violations.ts';
import { HOUSE, openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { anyOf, listTablesHolding, SECRET } from '#e2e/support/test-environment.ts';
import type { Actor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { findSenderRoom } from './reads/sender-counts.ts';
import { setSendFlow } from './set-switch.ts';
import { verifyActions } from './verify-actions.ts';

const HOUSE_EMAIL = 'house.account@players.example';
const proof = { tags: ['proof'] };

let testEnv: SendEnvironment;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(async () => {
  await testEnv.startOver();
});
afterAll(() => testEnv.close());

test('A7: a house account sends 25.00: reserved, approved on the phone, moved once, and no code or number is stored', async () => {
  const actionId = await testEnv.approved();
  expect(await testEnv.start(actionId)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.wallet(HOUSE_EMAIL)).toMatchObject({ coins: '49975.00', reserved: '25.00' });
  const shown = await testEnv.ask(actionId);
  expect(shown).toMatchObject({ ok: true, shown: { user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) } });
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'waiting' });
  expect(await testEnv.move(actionId)).toEqual({ ok: false, reason: 'not_approved' });
  await testEnv.phone('approve');
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'approved' });
  // The phone approved, and nothing has moved.
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('send-approve')]).toEqual(['with_player', 0]);
  expect(await testEnv.move(actionId)).toMatchObject({ ok: true });
  expect([await testEnv.stateOf(actionId), (await testEnv.findStep(actionId))?.state]).toEqual(['done', 'done']);
  expect(await testEnv.move(actionId)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await testEnv.executed('send-approve')).toMatchObject([{ executions: 1, calls: 1 }]);
  expect(await listTablesHolding(testEnv.pool, anyOf(await testEnv.secretsGiven()))).toEqual([]);
  expect(await listTablesHolding(testEnv.pool, /15112345678|15100910031/)).toEqual([]);
  const { rows } = await testEnv.pool.query('select count(*)::int as count from device_grant where sealed_code is not null');
  expect(rows).toEqual([{ count: 0 }]);
});

test('an Invo that has another word for a send refuses to ask the phone, and an admin sets the word', proof, async () => {
  await testEnv.control('POST', 'shape', { 'device-begin': 'currency_send' });
  const actionId = await testEnv.approved();
  await testEnv.start(actionId);
  expect(await testEnv.ask(actionId)).toMatchObject({ ok: false, reason: 'refused', sentence: expect.stringContaining('INVALID_INPUT') });
  const { game } = testEnv.context;
  const { sam } = testEnv.people;
  const ada: Actor = {
    id: await seedPerson(testEnv.db, 'ada.word@studio.example', 'admin'),
    email: 'ada.word@studio.example',
    roles: ['admin'],
  };
  expect(await setSendFlow(game, sam, 'currency_send')).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await setSendFlow(game, ada, 'Currency send')).toEqual({ ok: false, reason: 'not_a_word' });
  expect(await setSendFlow(game, ada, ' currency_send ')).toEqual({ ok: true });
  expect(await setSendFlow(game, ada, 'currency_send')).toEqual({ ok: false, reason: 'no_change' });
  expect(await testEnv.ask(actionId)).toMatchObject({ ok: true });
  expect(await setSendFlow(game, ada, 'send')).toEqual({ ok: true });
});

test('A8: TRANSFER_APPROVE_FAILED after which the coins moved is unknown, and the status decides; nothing is sent again', async () => {
  const actionId = await testEnv.approvedOnPhone();
  await testEnv.fail('approve_failed_moved', 'send-approve');
  await testEnv.move(actionId);
  const approve = await testEnv.findStep(actionId);
  expect(approve).toMatchObject({ state: 'done', outcomeSource: 'reading' });
  await testEnv.makeDue();
  await testEnv.settle();
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('send-approve')]).toEqual(['done', 1]);
});

test('A8: after a failure that moved nothing the same approval may be used again, but never after an unknown one', proof, async () => {
  const refused = await testEnv.approvedOnPhone();
  await testEnv.fail('refuse', 'send-approve', { status: 403, code: 'PASSKEY_RECOVERY_COOLDOWN' });
  await testEnv.move(refused);
  expect([(await testEnv.findStep(refused))?.state, await testEnv.stateOf(refused)]).toEqual(['refused', 'with_player']);
  expect(await testEnv.move(refused)).toMatchObject({ ok: true });
  expect([(await testEnv.findStep(refused))?.state, await testEnv.stateOf(refused), await testEnv.callCount('send-approve')]).toEqual([
    'done',
    'done',
    2,
  ]);

  const unknown = await testEnv.approvedOnPhone('26.00');
  await testEnv.fail('approve_failed_unmoved', 'send-approve');
  await testEnv.move(unknown);
  const approve = await testEnv.findStep(unknown);
  expect(approve?.state).toBe('checking');
  expect(await testEnv.move(unknown)).toEqual({ ok: false, reason: 'not_approved' });
  // Nor is the phone requested once more for what none is sent after.
  expect(await testEnv.ask(unknown)).toEqual({ ok: false, reason: 'moved_on' });
  // Postgres refuses a second approval of the transaction.
  const again = `{"action_id":999999,"draft_id":"00000000-0000-4000-8000-000000000001","subject":"other","state":"approved","attempt_count":0,
    "unanswered_count":0,"first_sent_at":null,"last_sent_at":null,"settle_until":null,"result":null}`;
  const copy = testEnv.pool.query(
    `insert into desk_action overriding system value
     select (jsonb_populate_record(null::desk_action, to_jsonb(desk_action) || $1::jsonb)).* from desk_action where action_id = $2`,
    [again, approve?.actionId],
  );
  await expect(copy).rejects.toThrow('desk_action_approves');
});

test('A9: the phone declines, its code is replaced, and a process that died is replaced by one with another token', proof, async () => {
  const actionId = await testEnv.approved();
  await testEnv.start(actionId);
  await testEnv.ask(actionId);
  await testEnv.ask(actionId);
  await testEnv.phone('deny');
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'declined' });
  await testEnv.ask(actionId);
  // Not sooner than Invo allows.
  const polls = await testEnv.callCount('device-poll');
  await testEnv.pool.query(`update device_grant set next_poll_at = clock_now() + interval '5 seconds' where next_poll_at is not null`);
  const { watchPhone } = await import('./ask-phone.ts');
  const { HOLDER } = await import('#e2e/support/actions/send-environment.ts');
  await watchPhone(testEnv.context, testEnv.people.sam, actionId, HOLDER);
  expect(await testEnv.callCount('device-poll')).toBe(polls);
  await testEnv.phone('approve');
  expect(await testEnv.watch(actionId)).toMatchObject({ state: 'approved' });
  expect(await testEnv.ask(actionId)).toEqual({ ok: false, reason: 'approved_before' });
});

test('a send that nobody approved ends a while after its window, and one that was lost is sent again under its key', proof, async () => {
  const actionId = await testEnv.approved();
  await testEnv.control('POST', 'shape', { 'send-approve': 'no_status' });
  await testEnv.fail('made_then_500', 'initiate-send');
  expect(await testEnv.start(actionId)).toMatchObject({ ok: true, state: 'checking' });
  expect(await testEnv.start(actionId)).toMatchObject({ ok: true, state: 'with_player' });
  expect(await testEnv.executed('initiate-send')).toMatchObject([{ executions: 1, calls: 2 }]);
  await testEnv.pool.query(`alter table desk_action disable trigger desk_action_kept;
    update desk_action set waits_until = clock_now() - interval '16 minutes' where action_id = ${actionId};
    alter table desk_action enable trigger desk_action_kept`);
  await testEnv.makeDue();
  await testEnv.settle();
  expect(await testEnv.stateOf(actionId)).toBe('lapsed');
});

test('bad input gets a sentence, and nothing is sent', proof, async () => {
  expect(await testEnv.requestSend({ phone: '+4915112345679' })).toEqual({ ok: false, reason: 'blocked', blocker: 'no_destination' });
  expect(await testEnv.requestSend({ gameId: '41400' })).toEqual({ ok: false, reason: 'blocked', blocker: 'no_destination' });
  expect(await testEnv.requestSend({ house: 910_024 })).toEqual({ ok: false, reason: 'blocked', blocker: 'no_house_account' });
  // Nothing is stored of a send to the house account itself.
  expect(await testEnv.requestSend({ house: PLAYERS.asa })).toEqual({ ok: false, reason: 'blocked', blocker: 'house_receives' });
  expect((await testEnv.pool.query(`select 1 from desk_action where kind = 'send_start' and ended_at is null`)).rowCount).toBe(0);
  expect(await testEnv.requestSend({ amount: '60000.00' })).toEqual({ ok: false, reason: 'blocked', blocker: 'not_covered' });
  expect(await testEnv.requestSend({ phone: '12' })).toMatchObject({ ok: false });
  const actionId = await testEnv.approved();
  expect(await testEnv.start(actionId, '+4915112345679')).toEqual({ ok: false, reason: 'other_entry' });
  expect([await testEnv.stateOf(actionId), await testEnv.callCount('initiate-send')]).toEqual(['approved', 0]);
  expect(HOUSE.playerId).toBe(910_031);
});

test('the tests find what Invo executed and no action says, and calls that no integrator should make', proof, async () => {
  const actionId = await testEnv.approvedOnPhone('33.00');
  await testEnv.move(actionId);
  expect(await findUnaccounted(testEnv)).toEqual([]);
  const headers = { 'content-type': 'application/json', 'x-game-secret-key': SECRET };
  await fetch(`${testEnv.upstream.url}/api/transfers/verify-sms`, { method: 'POST', headers, body: '{}' });
  const { reference } = await testEnv.find(actionId);
  const store = async (key: string | null): Promise<unknown> =>
    await testEnv.pool.query(`alter table desk_action disable trigger all; update desk_action set reference = '${key}' where action_id = ${actionId};
      alter table desk_action enable trigger all`);
  await store('another');
  expect((await findUnaccounted(testEnv)).toSorted()).toEqual([
    `initiate-send of ${reference} was executed, and no action says so`,
    'verify-pin was called',
  ]);
  await store(reference);
});

test('what Invo takes of one sender is counted: a request beyond it is refused with a sentence, and a press waits', proof, async () => {
  const started = await testEnv.approved('31.00');
  await testEnv.fail('refuse', 'initiate-send', { status: 403, code: 'GUARDIAN_REQUIRED' });
  expect(await testEnv.start(started)).toMatchObject({ state: 'refused' });
  const approvedId = await testEnv.approved('30.00');
  const counted = async (count: number, amount: string): Promise<void> => {
    const copies = `{"state":"lapsed","amount":"${amount}"}`;
    await testEnv.pool.query(
      `insert into desk_action overriding system value
       select (jsonb_populate_record(null::desk_action, to_jsonb(desk_action) || $1::jsonb || jsonb_build_object('action_id', 900000 + each,
         'draft_id', gen_random_uuid(), 'reference', gen_random_uuid(), 'subject', 'other ' || each))).*
       from desk_action, generate_series(1, $3::int) each where action_id = $2`,
      [copies, started, count],
    );
  };
  const uncount = async (): Promise<unknown> =>
    await testEnv.pool.query(`alter table desk_action disable trigger all; delete from desk_action where action_id > 900000;
      alter table desk_action enable trigger all`);
  const calls = await testEnv.callCount('initiate-send');
  const request = async () => await testEnv.requestSend({ amount: '32.00' });
  const room = async () => await findSenderRoom(testEnv.db, testEnv.context.game.gameId, true, HOUSE.playerId);
  // The refused one moved nothing; of the approved one nothing was sent.
  expect(await room()).toEqual({ limit: null, coins_left: null });
  await counted(24, '1.00');
  expect(await room()).toMatchObject({ limit: { blocker: 'too_many_sends' }, coins_left: '999976.00' });
  expect(await request()).toEqual({ ok: false, reason: 'blocked', blocker: 'too_many_sends' });
  expect(await testEnv.start(approvedId)).toMatchObject({ ok: false, reason: 'wait' });
  await uncount();

  await counted(1, '999975.00');
  expect(await room()).toEqual({ limit: null, coins_left: '25.00' });
  expect(await request()).toEqual({ ok: false, reason: 'blocked', blocker: 'too_many_coins' });
  expect(await testEnv.start(approvedId)).toMatchObject({ ok: false, reason: 'wait' });
  await uncount();

  // Calls of one start count too, whatever came of them.
  await testEnv.pool.query(`alter table desk_action_attempt disable trigger all;
    insert into desk_action_attempt (game_id, action_id, repeats, attempt_no, owner, sent_by, request_digest)
      select game_id, action_id, repeats, 1 + each, owner, sent_by, request_digest from desk_action_attempt, generate_series(1, 98) each
      where action_id = ${started};
    alter table desk_action_attempt enable trigger all`);
  expect(await request()).toEqual({ ok: false, reason: 'blocked', blocker: 'too_many_starts' });
  expect(await testEnv.start(approvedId)).toMatchObject({ ok: false, reason: 'wait' });
  expect(await testEnv.callCount('initiate-send')).toBe(calls);
  await testEnv.pool.query(`alter table desk_action_attempt disable trigger all;
    delete from desk_action_attempt where action_id = ${started} and attempt_no > 1; alter table desk_action_attempt enable trigger all`);
  expect(await testEnv.start(approvedId)).toMatchObject({ ok: true, state: 'with_player' });
});

test('stored sends follow from the audit', async () => {
  const findings = new Findings();
  await verifyActions(testEnv.db, testEnv.context.game.gameId, findings);
  const altered = /state_in_audit|outcome_source|transaction/;
  expect(findings.violations.filter(({ name }) => !altered.test(name))).toEqual([]);
});
