import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideDetails } from './decide-details.ts';
import { formatOtherKey } from './find-key-refusal.ts';
import { findImportPlan, importDetails } from './import-details.ts';
import { proposeDetails } from './propose-details.ts';
import { nameKey } from './seal.ts';

const REASON = 'By telephone';
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let gus: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  game = await testEnv.game();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

test('payment details are neither proposed nor confirmed under another key or none, and not as others than those shown', async () => {
  const other = Buffer.alloc(32, 8);
  const refused = { ok: false, reason: 'other_key', keyName: nameKey(other), expected: nameKey(PAYEE_KEY) };
  const typed = { recipientId: 9001, method: 'paypal', typed: { email: 'seven@creators.example' }, reason: REASON };
  expect(await proposeDetails(game, fiona, other, typed)).toEqual(refused);
  const bytes = Buffer.from('recipient_player_id,method\n9001,none');
  expect(await findImportPlan(testEnv.db, game.gameId, other, bytes)).toEqual(refused);
  expect(await importDetails(game, fiona, other, { bytes, reason: REASON, shown: '' })).toEqual(refused);
  expect(await proposeDetails(game, fiona, PAYEE_KEY, typed)).toMatchObject({ ok: true, detailNo: 2 });
  const proposal = { recipientId: 9001, detailNo: 2 };
  const confirmation = await confirmationOf(game, proposal);
  expect(await decideDetails(game, gus, other, confirmation)).toEqual(refused);
  expect(await decideDetails(game, gus, null, confirmation)).toEqual({ ok: false, reason: 'no_key' });
  expect(formatOtherKey({ ...refused, ok: false, reason: 'other_key' })).toContain(`key ${nameKey(PAYEE_KEY)}`);
  const shown = '0'.repeat(64);
  expect(await decideDetails(game, gus, PAYEE_KEY, { proposal, decision: 'confirmed', shown })).toEqual({
    ok: false,
    reason: 'not_as_shown',
  });
  await withTampering(
    testEnv.pool,
    async (client) => void (await client.query(`update payee_detail set mask = 'x' where recipient_player_id = 9001 and detail_no = 2`)),
    async (db) =>
      expect(await decideDetails({ ...game, db }, gus, PAYEE_KEY, await confirmationOf({ ...game, db }, proposal))).toEqual({
        ok: false,
        reason: 'unreadable',
      }),
  );
  expect(await decideDetails(game, gus, PAYEE_KEY, confirmation)).toMatchObject({ ok: true });
});

test('an imported file isn’t confirmed once one of its rows was withdrawn after the page was shown', async () => {
  const bytes = Buffer.from('recipient_player_id,method\n9003,none\n9004,none');
  const plan = await findImportPlan(testEnv.db, game.gameId, PAYEE_KEY, bytes);
  if (!plan.ok) throw new Error(plan.reason);
  const proposed = await importDetails(game, fiona, PAYEE_KEY, { bytes, reason: REASON, shown: plan.shown });
  if (!proposed.ok) throw new Error(proposed.reason);
  const confirmation = await confirmationOf(game, { changeSet: proposed.changeSet });
  const one = { recipientId: 9003, detailNo: 2 };
  expect(await decideDetails(game, fiona, null, { proposal: one, decision: 'withdrawn' })).toMatchObject({ ok: true });
  expect(await decideDetails(game, gus, PAYEE_KEY, confirmation)).toEqual({ ok: false, reason: 'not_as_shown' });
  const set = { changeSet: proposed.changeSet };
  expect(await decideDetails(game, gus, PAYEE_KEY, await confirmationOf(game, set))).toMatchObject({ ok: true });
});
