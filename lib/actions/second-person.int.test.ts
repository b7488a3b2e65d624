import { afterAll, beforeEach, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { pause } from '../approvals/pause.ts';
import type { SessionActor } from '../core/roles.ts';
import { approveAction, declineAction } from './approve-action.ts';
import { findDecline } from './reads/find-action.ts';
import { findActionsOverview } from './reads/list-actions.ts';

let testEnv: ActionEnvironment;
const opened: ActionEnvironment[] = [];
beforeEach(async () => {
  testEnv = await openActionEnvironment();
  opened.push(testEnv);
});
afterAll(async () => void (await Promise.all(opened.map((each) => each.close()))));

const LINK = { kind: 'payment_link', playerId: PLAYERS.asa } as const;
const request = async (amount: string): Promise<number> => {
  const result = await testEnv.request(testEnv.people.sam, LINK, { typed: { usd_amount: amount }, isAlikeConfirmed: true });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.actionId;
};
const approve = async (actionId: number) => {
  const { contentDigest } = await testEnv.find(actionId);
  return await approveAction(testEnv.context, testEnv.people.fiona, { actionId, contentDigest });
};
/** Asa’s email now names another player. */
const moveEmail = async () => await testEnv.control('POST', 'move', { player_email: 'asa.venn@players.example', player_id: 910_099 });
const sentCount = async (): Promise<number> => (await testEnv.executed('checkout')).reduce((sum, { calls }) => sum + calls, 0);

test('A19: an approval of facts that changed ends the action, and nothing is sent', async () => {
  const actionId = await request('500.00');
  await moveEmail();
  expect(await approve(actionId)).toEqual({ ok: false, reason: 'facts_changed' });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'lapsed', last_error_code: 'other_player' });
  expect(await sentCount()).toBe(0);
});

test('A19: what changed between approval and press ends the action, and nothing is sent', async () => {
  const actionId = await request('20.00');
  await moveEmail();
  expect(await testEnv.press(testEnv.people.sam, actionId)).toEqual({ ok: false, reason: 'changed' });
  expect(await testEnv.find(actionId)).toMatchObject({ state: 'lapsed', attempt_count: 0, last_error_code: 'other_player' });
  expect(await sentCount()).toBe(0);
});

test('A19: an approval that is older than a day is used by nobody', { tags: 'proof' }, async () => {
  const actionId = await request('20.00');
  await testEnv.pool.query(`update desk_action set approved_at = clock_now() - interval '24 hours 1 minute'`);
  expect(await testEnv.press(testEnv.people.sam, actionId)).toEqual({ ok: false, reason: 'lapsed' });
  const other = await request('21.00');
  await testEnv.makeDue();
  await testEnv.settle();
  expect([(await testEnv.find(actionId)).state, (await testEnv.find(other)).state, await sentCount()]).toEqual(['lapsed', 'lapsed', 0]);
});

test('A19: a pause and a switch that is turned off hold back requests and presses', async () => {
  const { sam, fiona } = testEnv.people;
  const actionId = await request('20.00');
  await pause(testEnv.context.game, fiona as SessionActor, { what: 'desk actions', why: 'A look first.' });
  expect(await testEnv.press(sam, actionId)).toEqual({ ok: false, reason: 'paused' });
  expect(await testEnv.request(sam, LINK, { typed: { usd_amount: '9.00' } })).toEqual({ ok: false, reason: 'paused' });
  await testEnv.pool.query(
    `insert into action_switch (game_id, action_group, is_on) select game_id, 'payments', false from game on conflict (game_id, action_group) do update set is_on = false`,
  );
  expect(await testEnv.request(sam, LINK, { typed: { usd_amount: '9.00' } })).toEqual({ ok: false, reason: 'switched_off' });
  expect(await sentCount()).toBe(0);
});

test('A19: two forms that together pass the limit of 24 hours: one of them waits for a second person, and says what they left', {
  tags: 'proof',
}, async () => {
  await testEnv.pool.query(`insert into action_limit (game_id, name, limit_amount, set_by)
    select game_id, given, amount, 'ada' from game, (values ('payments_support', 100), ('payments_support_day', 150)) as limits (given, amount)`);
  const actions = await Promise.all([request('100.00'), request('99.00')]);
  const states = await Promise.all(actions.map(async (actionId) => (await testEnv.find(actionId)).state));
  expect(states.toSorted()).toEqual(['approved', 'awaiting_approval']);
  // What the first left of 150.00 is below the limit of one action, and what a third request states.
  const third = await testEnv.find(await request('98.00'));
  const left = states[0] === 'approved' ? '50.00' : '51.00';
  expect([third.state, third.facts.day_limit_left]).toEqual(['awaiting_approval', left]);
  // Above the limit of one action the 24 hours aren't why.
  expect((await testEnv.find(await request('100.01'))).facts).not.toHaveProperty('day_limit_left');
  expect(await findActionsOverview(testEnv.db, testEnv.context.game.gameId, testEnv.people.sam.id)).toMatchObject({
    pause: null,
    isEmpty: false,
    waitingCount: 4,
    othersCount: 0,
  });
  expect((await findActionsOverview(testEnv.db, testEnv.context.game.gameId, testEnv.people.fiona.id)).othersCount).toBe(1);
});

test('an action that nobody sent is withdrawn by its requester and rejected with a reason by an approver', { tags: 'proof' }, async () => {
  const { sam, sara, fiona } = testEnv.people;
  const { game } = testEnv.context;
  const [own, other] = [await request('20.00'), await request('500.00')];
  expect(await declineAction(game, sara, own, 'No')).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await declineAction(game, sam, own, '')).toEqual({ ok: true });
  expect(await declineAction(game, fiona, other, '')).toEqual({ ok: false, reason: 'why_missing' });
  expect(await declineAction(game, fiona, other, 'Ask a@b.example, 4111 1111 1111 1111')).toEqual({ ok: false, reason: 'why_private' });
  expect(await declineAction(game, fiona, other, 'Not this one.')).toEqual({ ok: true });
  expect(await findDecline(game.db, game.gameId, other)).toMatchObject({ name: expect.any(String), why: 'Not this one.' });
  expect(await findDecline(game.db, game.gameId, own)).toMatchObject({ why: '' });
  expect([(await testEnv.find(own)).state, (await testEnv.find(other)).state]).toEqual(['withdrawn', 'rejected']);
  expect(await testEnv.press(sam, own)).toEqual({ ok: false, reason: 'moved_on' });
});

test.each([
  ['email', { reasonText: 'Write to asa.venn@players.example' }, 'private_text'],
  ['card number', { reasonText: 'Card 4242 4242 4242 4242' }, 'private_text'],
  ['phone', { ticket: '+49 170 1234567' }, 'private_ticket'],
  ['missing ticket', { ticket: ' ' }, 'ticket_missing'],
  ['long ticket', { ticket: 'T'.repeat(101) }, 'ticket_too_long'],
])('a %s is refused, and nothing is stored', { tags: 'proof' }, async (_, changed, reason) => {
  const typed = { typed: { usd_amount: '20.00' } };
  expect(await testEnv.request(testEnv.people.sam, LINK, { ...typed, ...changed })).toEqual({ ok: false, reason });
  expect((await testEnv.pool.query('select 1 from desk_action')).rowCount).toBe(0);
});

test('a player whose email belongs to another player, and one that nobody knows, start nothing', { tags: 'proof' }, async () => {
  await moveEmail();
  const typed = { typed: { usd_amount: '20.00' } };
  expect(await testEnv.request(testEnv.people.sam, LINK, typed)).toEqual({ ok: false, reason: 'blocked', blocker: 'other_player' });
  expect(await testEnv.request(testEnv.people.sam, { ...LINK, playerId: 4_040 }, typed)).toMatchObject({
    reason: 'blocked',
    blocker: 'unknown_player',
  });
  expect(await sentCount()).toBe(0);
});
