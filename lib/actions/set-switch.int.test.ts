import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openRefundEnvironment, type RefundEnvironment } from '#e2e/support/refunds/refund-environment.ts';
import { pause } from '../approvals/pause.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { addMilestone, removeMilestone } from './name-milestones.ts';
import { findActionControls, isSwitchedOn } from './reads/action-controls.ts';
import type { SwitchedGroup } from './rules/kinds.ts';
import { confirmSwitch, declineSwitch, setSwitch } from './set-switch.ts';

let testEnv: RefundEnvironment;
let fiona: SessionActor;
let game: OpenGame;
let sandbox: OpenGame;
beforeAll(async () => {
  testEnv = await openRefundEnvironment();
  fiona = await seedFinance(testEnv, 'fiona');
  const [one, other] = [await testEnv.newGame(), await testEnv.newGame()];
  await testEnv.pool.query(
    `update game set environment = case game_id when $1 then 'production' else 'sandbox' end where game_id in ($1, $2)`,
    [one.gameId, other.gameId],
  );
  game = { ...one, environment: 'production' };
  sandbox = { ...other, environment: 'sandbox' };
});
afterAll(() => testEnv.close());

const isOn = async (group: SwitchedGroup, { gameId } = game): Promise<boolean> =>
  (await testEnv.db.selectNoFrom(isSwitchedOn(gameId, group).as('now')).executeTakeFirstOrThrow()).now;

test('a group is off at once, and on in production only when a second person confirms what they saw', async () => {
  const { admin, support } = testEnv.people;
  const request = { group: 'sends', requestedBy: admin.id } as const;
  expect([await isOn('payments'), await isOn('sends')]).toEqual([true, false]);
  expect(await setSwitch(game, admin, { group: 'payments', to: 'off' })).toEqual({ ok: true, is: 'off' });
  expect(await setSwitch(game, admin, { group: 'payments', to: 'off' })).toEqual({ ok: false, reason: 'no_change' });
  expect(await setSwitch(game, support, { group: 'sends', to: 'on' })).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await setSwitch(game, admin, { group: 'sends', to: 'on' })).toEqual({ ok: true, is: 'waits' });
  expect([await isOn('payments'), await isOn('sends')]).toEqual([false, false]);
  expect(await confirmSwitch(game, admin, request)).toEqual({ ok: false, reason: 'same_person' });
  expect(await confirmSwitch(game, support, request)).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await confirmSwitch(game, fiona, { ...request, requestedBy: support.id })).toEqual({ ok: false, reason: 'moved_on' });
  expect(await declineSwitch(game, admin, request)).toEqual({ ok: true });
  expect(await confirmSwitch(game, fiona, request)).toEqual({ ok: false, reason: 'moved_on' });
  await setSwitch(game, admin, { group: 'sends', to: 'on' });
  expect(await confirmSwitch(game, fiona, request)).toEqual({ ok: true });
  expect(await isOn('sends')).toBe(true);
  // Turning it off ends a request too.
  await setSwitch(game, admin, { group: 'payments', to: 'on' });
  expect(await setSwitch(game, admin, { group: 'payments', to: 'off' })).toEqual({ ok: true, is: 'off' });
  expect(await confirmSwitch(game, fiona, { group: 'payments', requestedBy: admin.id })).toEqual({ ok: false, reason: 'moved_on' });
});

test('in a sandbox game every group is on, and an admin alone turns it on again', async () => {
  const { admin } = testEnv.people;
  expect(await isOn('transfers', sandbox)).toBe(true);
  await setSwitch(sandbox, admin, { group: 'transfers', to: 'off' });
  expect(await isOn('transfers', sandbox)).toBe(false);
  expect(await setSwitch(sandbox, admin, { group: 'transfers', to: 'on' })).toEqual({ ok: true, is: 'on' });
  expect(await isOn('transfers', sandbox)).toBe(true);
});

test('Settings shows the switches, the pause and the milestones of a game as they are', async () => {
  const { admin, support } = testEnv.people;
  const typed = { eventType: 'game.milestone.reached', name: 'boss_1', label: 'First boss' } as const;
  expect(await addMilestone(game, admin, { ...typed, label: ' ' })).toEqual({ ok: false, reason: 'not_a_label' });
  expect(await addMilestone(game, admin, typed)).toEqual({ ok: true });
  expect(await addMilestone(game, admin, typed)).toEqual({ ok: false, reason: 'no_change' });
  expect(await pause(game, support, { what: 'desk actions', why: 'Strange answers.' })).toEqual({ ok: true });
  await setSwitch(game, admin, { group: 'items', to: 'on' });
  expect(await findActionControls(testEnv.db, game)).toMatchObject({
    switches: [
      { group: 'payments', isOn: false, set: { byName: expect.any(String) as unknown }, request: null },
      { group: 'milestones', isOn: false, set: null, request: null },
      { group: 'items', isOn: false, set: null, request: { by: admin.id } },
      { group: 'sends', isOn: true, request: null },
      { group: 'rewards', isOn: false },
      { group: 'transfers', isOn: false },
    ],
    pause: { why: 'Strange answers.', resumeRequestedBy: null },
    milestones: [{ ...typed, addedByName: expect.any(String) as unknown }],
    limits: { payments: {}, items: {}, sends: {}, transfers: {} },
  });
  expect(await removeMilestone(game, admin, typed)).toEqual({ ok: true });
  expect((await findActionControls(testEnv.db, game)).milestones).toEqual([]);
});
