import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeCall } from '#db/games/writes.ts';
import { seedGame } from '#db/kit/testing/row-page-seed.ts';
import { createTestDb, type TestDb } from '#db/kit/testing/test-db.ts';
import { sharedBudget } from './shared-budget.ts';

let test_db: TestDb;
beforeAll(async () => {
  test_db = await createTestDb();
});
afterAll(() => test_db.close());

test('a wait that Invo asked for is reported at once, and its end with the next call', async () => {
  const told: (number | null)[] = [];
  const gameId = await seedGame(test_db.db);
  const budget = sharedBudget(test_db.pool, gameId, { asks: 'pull', onWait: (untilMs) => told.push(untilMs) });
  const untilMs = Date.now() + 120;
  await budget.blockUntil({ kind: 'aggregate' }, untilMs);
  expect(told).toEqual([untilMs]);
  await budget.take({ kind: 'aggregate' });
  expect(Date.now()).toBeGreaterThanOrEqual(untilMs - 5);
  expect(told.at(-1)).toBeNull();
});

test('the end is reported too when the wait is over before the next call', async () => {
  const told: (number | null)[] = [];
  const gameId = await seedGame(test_db.db, 'other');
  const budget = sharedBudget(test_db.pool, gameId, { asks: 'pull', onWait: (untilMs) => told.push(untilMs) });
  const past = Date.now() - 1;
  await budget.blockUntil({ kind: 'aggregate' }, past);
  await budget.take({ kind: 'aggregate' });
  await budget.take({ kind: 'aggregate' });
  expect(told).toEqual([past, null]);
});

test('a long wait pauses the shared budget for two minutes at most', async () => {
  const gameId = await seedGame(test_db.db, 'patient');
  const told: (number | null)[] = [];
  const budget = sharedBudget(test_db.pool, gameId, { asks: 'person', onWait: (untilMs) => told.push(untilMs) });
  const untilMs = Date.now() + 7_200_000;
  await budget.blockUntil({ kind: 'detail' }, untilMs);
  expect(told).toEqual([untilMs]);
  const wait_ms = await takeCall(test_db.pool, gameId, 'detail', 500);
  expect(wait_ms).toBeGreaterThan(100_000);
  expect(wait_ms).toBeLessThanOrEqual(120_000);
});
