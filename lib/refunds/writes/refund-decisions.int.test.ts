import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedApproved, seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { openRefundStore } from './refund-store.ts';

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('readings stored at the same time are all stored and numbered in sequence', async () => {
  const gameId = await seedGame(testDb.db, 'readings');
  const requested_by = await seedColleague(testDb.db, 'Sami');
  await seedRefund(testDb.db, gameId, { ...seedApproved('verifying'), requested_by, next_look_at: '2026-11-21T10:00:00Z' });
  const store = openRefundStore(testDb.db, 'test', gameId);
  const job = await store.takeDue();
  if (job === null) throw new Error('the refund is not due');
  await Promise.all(Array.from({ length: 5 }, () => store.storeReading(job, 'verify', job.facts.period)));
  const { rows } = await testDb.pool.query<{ read_no: number }>('select read_no from refund_read where game_id = $1 order by read_no', [
    gameId,
  ]);
  expect(rows.map((row) => row.read_no)).toEqual([1, 2, 3, 4, 5]);
});
