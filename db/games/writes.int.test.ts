import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '../kit/testing/test-db.ts';
import { ensureGame, pinInvoGame } from './writes.ts';

const AURORA = { slug: 'aurora', environment: 'sandbox', name: 'Aurora', timeZone: 'UTC' } as const;
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

/** The row as it is kept; `version` changes with every write, whatever it writes. */
async function readRow(): Promise<unknown> {
  const { rows } = await testDb.pool.query(`select slug, name, time_zone, invo_game_id, xmin::text as version from game`);
  expect(rows).toHaveLength(1);
  return rows[0];
}

test('a game stored as configured is read, not written', async () => {
  const { gameId } = await ensureGame(testDb.db, AURORA);
  const row = await readRow();
  expect(await ensureGame(testDb.db, AURORA)).toEqual({ gameId, invoGameId: null });
  expect(await readRow()).toEqual(row);
});

test('name and time zone follow the configuration, and the Invo ID stays', async () => {
  const { gameId } = await ensureGame(testDb.db, AURORA);
  await pinInvoGame(testDb.db, gameId, '71');
  expect(await ensureGame(testDb.db, { ...AURORA, name: 'Aurora II', timeZone: 'Europe/Berlin' })).toEqual({ gameId, invoGameId: '71' });
  expect(await readRow()).toMatchObject({ name: 'Aurora II', time_zone: 'Europe/Berlin', invo_game_id: '71' });
});
