// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSendEnvironment, type SendEnvironment } from '#e2e/support/actions/send-environment.ts';
import { listTasks } from '../../tasks/reads.ts';
import { findActionsOverview, listActions } from './list-actions.ts';

let testEnv: SendEnvironment;
beforeAll(async () => {
  testEnv = await openSendEnvironment();
});
beforeEach(async () => {
  await testEnv.startOver();
});
afterAll(() => testEnv.close());

test('the register finds a send by its ticket and by its transaction, and by no part of them', async () => {
  const actionId = await testEnv.approved();
  await testEnv.start(actionId);
  const { rows } = await testEnv.pool.query(`select ticket, result->>'transaction_id' as id from desk_action where action_id = $1`, [
    actionId,
  ]);
  const page = { sort: 'action_id', dir: 'desc', after: null, limit: 10 } as const;
  const found = async (find: string): Promise<number[]> =>
    (await listActions(testEnv.db, testEnv.context.game.gameId, { find, chip: 'all' }, page)).rows.map(({ action_id }) => action_id);
  for (const whole of [rows[0].ticket, rows[0].id]) {
    expect(await found(whole)).toContain(actionId);
    expect(await found(whole.slice(0, -1))).toEqual([]);
  }
});

test('a started send is in progress while its phone has a valid code, and needs action before and afterwards', async () => {
  const { gameId, timeZone } = testEnv.context.game;
  const page = { sort: 'state', dir: 'desc', after: null, limit: 1 } as const;
  const shownIn = async (chip: string): Promise<unknown[]> =>
    (await listActions(testEnv.db, gameId, { find: '', chip }, page)).rows.map((row) => [row.action_id, row.waiting.phone?.answer]);
  const countOf = async (): Promise<number> => (await findActionsOverview(testEnv.db, gameId, testEnv.people.sam.id)).waitingCount;
  const shown = async (): Promise<unknown[]> => [await shownIn('under_way'), await shownIn('for_people'), await countOf()];
  const changeGrant = async (change: string): Promise<unknown> =>
    await testEnv.pool.query(`update device_grant set ${change} where action_id = $1 and state in ('started', 'waiting')`, [actionId]);
  const tasksOf = async (): Promise<string[]> => {
    const about = { gameId, timeZone, personId: testEnv.people.sam.id, now: testEnv.context.game.now(), scope: 'badges' } as const;
    return (await listTasks(testEnv.db, about)).tasks.map(({ kind }) => kind);
  };
  const actionId = await testEnv.approved();
  await testEnv.start(actionId);
  // One that began later, so that it would come first.
  await testEnv.transferApproved();
  await testEnv.pool.query(`update desk_action set state = 'withdrawn' where state = 'approved'`);
  expect([await shown(), await tasksOf()]).toEqual([[[], [[actionId, null]], 1], ['action_phone']]);
  await testEnv.ask(actionId);
  expect([await shown(), await tasksOf()]).toEqual([[[[actionId, 'waiting']], [], 0], []]);
  // Its screen was closed, and only a screen reads what the phone answers.
  await changeGrant(`expires_at = clock_now() - interval '1 second'`);
  expect([await shown(), await tasksOf()]).toEqual([[[], [[actionId, 'waiting']], 1], ['action_phone']]);
  await testEnv.watch(actionId);
  expect(await shown()).toEqual([[], [[actionId, 'expired']], 1]);
  await testEnv.ask(actionId);
  // The process died while it requested the code.
  await changeGrant(`state = 'started', requested_at = clock_now() - interval '50 seconds'`);
  expect(await shown()).toEqual([[[actionId, 'started']], [], 0]);
  await changeGrant(`requested_at = clock_now() - interval '70 seconds'`);
  expect(await shown()).toEqual([[], [[actionId, 'started']], 1]);
  await testEnv.ask(actionId);
  await testEnv.phone('enrol');
  await testEnv.watch(actionId);
  expect(await shown()).toEqual([[], [[actionId, 'enrolling']], 1]);
  await testEnv.ask(actionId);
  await testEnv.phone('deny');
  await testEnv.watch(actionId);
  expect([await shown(), await tasksOf()]).toEqual([[[], [[actionId, 'declined']], 1], ['action_phone']]);
  await testEnv.ask(actionId);
  expect(await countOf()).toBe(0);
  await testEnv.phone('approve');
  await testEnv.watch(actionId);
  expect([await shownIn('all'), await countOf()]).toEqual([[[actionId, 'approved']], 1]);
  await testEnv.move(actionId);
  expect([await shownIn('for_people'), await countOf(), await tasksOf()]).toEqual([[], 0, []]);
});

test('an action waits for the colleague who requested it only where nobody else may send it or move its coins', async () => {
  const { gameId } = testEnv.context.game;
  const countsOf = async (): Promise<number[]> => {
    const { waitingCount, othersCount } = await findActionsOverview(testEnv.db, gameId, testEnv.people.sara.id);
    return [waitingCount, othersCount];
  };
  const sent = await testEnv.approved();
  expect(await countsOf(), 'only its requester reserves the coins').toEqual([1, 1]);
  await testEnv.start(sent);
  expect(await countsOf(), 'anyone in support moves the coins of a send').toEqual([1, 0]);
  await testEnv.start(await testEnv.transferApproved());
  expect(await countsOf(), 'only its requester moves the coins of a transfer').toEqual([2, 1]);
});
