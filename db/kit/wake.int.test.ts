import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { inTransaction } from './open.ts';
import { wakeWorker } from './wake.ts';

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());
beforeEach(() => sql`delete from pgboss.job`.execute(testDb.db));

async function listWoken(): Promise<unknown[]> {
  const { rows } = await testDb.pool.query(`select name, singleton_key as key, data, start_after > clock_now() as later from pgboss.job
    where state = 'created' order by name, key`);
  return rows;
}

test('workers are woken once after the commit, also by work that joins the transaction', async () => {
  await inTransaction(testDb.db, async (tx) => {
    await wakeWorker(tx, { queue: 'refund', gameId: 7, id: 2, dueAt: sql`clock_now() + interval '1 minute'` });
    await inTransaction(tx, (same) => wakeWorker(same, { queue: 'rendition', gameId: 7 }));
    await wakeWorker(tx, { queue: 'rendition', gameId: 7 });
    expect(await listWoken()).toEqual([]);
  });
  expect(await listWoken()).toEqual([
    { name: 'refund', key: '7:2', data: { gameId: 7 }, later: true },
    { name: 'rendition', key: '7', data: { gameId: 7 }, later: false },
  ]);
});

test('a transaction that fails wakes nobody, and a wake that fails leaves its transaction committed', async () => {
  const failing = inTransaction(testDb.db, async (tx) => {
    await wakeWorker(tx, { queue: 'refund', gameId: 7 });
    throw new Error('after the wake');
  });
  await expect(failing).rejects.toThrow('after the wake');
  expect(await listWoken()).toEqual([]);
  expect(
    await inTransaction(testDb.db, async (tx) => {
      await wakeWorker(tx, { queue: 'refund', gameId: 7, dueAt: sql`no_such_function()` });
      return 'committed';
    }),
  ).toBe('committed');
});
