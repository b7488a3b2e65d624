import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeCall } from '#db/games/writes.ts';
import { seedGame } from '#db/kit/testing/row-page-seed.ts';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { sharedBudget } from './shared-budget.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('a wait that Invo asked for is reported at once, and its end with the next call', async () => {
  const reportedWaits: (number | null)[] = [];
  const gameId = await seedGame(testDb.db);
  const budget = sharedBudget(testDb.pool, gameId, { asks: 'pull', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const untilMs = Date.now() + 120;
  await budget.blockUntil({ kind: 'aggregate' }, untilMs);
  expect(reportedWaits).toEqual([untilMs]);
  await budget.take({ kind: 'aggregate' });
  expect(Date.now()).toBeGreaterThanOrEqual(untilMs - 5);
  expect(reportedWaits.at(-1)).toBeNull();
});

test('the end is reported too when the wait is over before the next call', async () => {
  const reportedWaits: (number | null)[] = [];
  const gameId = await seedGame(testDb.db, 'other');
  const budget = sharedBudget(testDb.pool, gameId, { asks: 'pull', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const past = Date.now() - 1;
  await budget.blockUntil({ kind: 'aggregate' }, past);
  await budget.take({ kind: 'aggregate' });
  await budget.take({ kind: 'aggregate' });
  expect(reportedWaits).toEqual([past, null]);
});

test('a long wait pauses the shared budget for two minutes at most', async () => {
  const gameId = await seedGame(testDb.db, 'patient');
  const reportedWaits: (number | null)[] = [];
  const budget = sharedBudget(testDb.pool, gameId, { asks: 'person', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const untilMs = Date.now() + 7_200_000;
  await budget.blockUntil({ kind: 'detail' }, untilMs);
  expect(reportedWaits).toEqual([untilMs]);
  const wait_ms = await takeCall(testDb.pool, gameId, 'detail', 500);
  expect(wait_ms).toBeGreaterThan(100_000);
  expect(wait_ms).toBeLessThanOrEqual(120_000);
});
