import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ActionEnvironment, openActionEnvironment, PLAYERS } from '#e2e/support/actions/action-environment.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { listTablesHolding } from '#e2e/support/test-environment.ts';
import type { Actor } from '../core/roles.ts';
import { erasePlayer } from '../evidence/erase-player.ts';
import { addHouseAccount, confirmHouseAccount, removeHouseAccount } from './house-accounts.ts';
import { listHouseAccounts } from './reads/list-house-accounts.ts';

const KEY = Buffer.alloc(32, 7);
const TYPED = { playerId: PLAYERS.asa, label: 'Starfall House', phone: '+49 151 12345678', phoneAgain: '+4915112345678' };

let testEnv: ActionEnvironment;
let ada: Actor;
beforeAll(async () => {
  testEnv = await openActionEnvironment();
  ada = { id: await seedPerson(testEnv.db, 'ada@studio.example', 'admin'), email: 'ada@studio.example', roles: ['admin'] };
});
afterAll(() => testEnv.close());

test('an admin requests a house account, another person confirms it, and its phone is stored sealed only', async () => {
  const { game } = testEnv.context;
  const { sam, fiona } = testEnv.people;
  expect(await addHouseAccount(game, sam, TYPED, KEY)).toEqual({ ok: false, reason: 'not_allowed' });
  for (const [changed, reason] of [
    [{ phone: '4915112345678' }, 'not_a_phone'],
    [{ phone: '+49151' }, 'not_a_phone'],
    [{ phoneAgain: '+4915112345679' }, 'phones_differ'],
    [{ label: ' ' }, 'not_a_label'],
    [{ playerId: 7 }, 'unknown_player'],
  ] as const)
    expect(await addHouseAccount(game, ada, { ...TYPED, ...changed }, KEY)).toEqual({ ok: false, reason });
  expect(await addHouseAccount(game, ada, TYPED, KEY)).toEqual({ ok: true, isConfirmed: false });
  expect(await addHouseAccount(game, ada, TYPED, KEY)).toEqual({ ok: false, reason: 'there_already' });
  const [waiting] = await listHouseAccounts(testEnv.db, game.gameId);
  expect(waiting).toMatchObject({ label: 'Starfall House', phoneEnd: '78', confirmedAt: null });
  const shown = { houseAccountId: waiting?.houseAccountId ?? 0, requestedBy: ada.id };
  expect(await confirmHouseAccount(game, ada, shown)).toEqual({ ok: false, reason: 'same_person' });
  expect(await confirmHouseAccount(game, fiona, shown)).toEqual({ ok: true, isConfirmed: true });
  expect(await listTablesHolding(testEnv.pool, /15112345678/)).toEqual([]);
  expect(await removeHouseAccount(game, sam, shown)).toEqual({ ok: false, reason: 'not_allowed' });
  const erasure = { playerId: PLAYERS.asa, by: 'test', reason: 'A request' };
  expect(await erasePlayer(game, erasure)).toEqual({ kind: 'house_account' });
  expect(await listHouseAccounts(testEnv.db, game.gameId)).toHaveLength(1);
  expect(await removeHouseAccount(game, fiona, shown)).toEqual({ ok: true, isConfirmed: false });
  expect(await listHouseAccounts(testEnv.db, game.gameId)).toEqual([]);
  const { rows } = await testEnv.pool.query('select sealed_phone from house_account');
  expect(rows).toEqual([{ sealed_phone: null }]);
  expect(await erasePlayer(game, erasure)).toMatchObject({ kind: 'erased' });
  expect(await addHouseAccount(game, ada, TYPED, KEY)).toEqual({ ok: false, reason: 'unknown_player' });
});
