import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { sharedBudget, takeActionCall } from './shared-budget.ts';
import { takeCall } from './writes.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('a wait requested by Invo is reported immediately, and its end with the next call', async () => {
  const reportedWaits: (number | null)[] = [];
  const gameId = await seedGame(testDb.db);
  const budget = sharedBudget(testDb.db, gameId, { caller: 'pull', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const untilMs = Date.now() + 120;
  await budget.blockUntil({ kind: 'aggregate' }, untilMs);
  expect(reportedWaits).toEqual([untilMs]);
  await budget.take({ kind: 'aggregate' });
  expect(Date.now()).toBeGreaterThanOrEqual(untilMs - 5);
  expect(reportedWaits.at(-1)).toBeNull();
});

test('the end of a wait is also reported when it is over before the next call', async () => {
  const reportedWaits: (number | null)[] = [];
  const gameId = await seedGame(testDb.db, 'other');
  const budget = sharedBudget(testDb.db, gameId, { caller: 'pull', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const past = Date.now() - 1;
  await budget.blockUntil({ kind: 'aggregate' }, past);
  await budget.take({ kind: 'aggregate' });
  await budget.take({ kind: 'aggregate' });
  expect(reportedWaits).toEqual([past, null]);
});

test('a long wait pauses the shared budget for two minutes at most', async () => {
  const gameId = await seedGame(testDb.db, 'patient');
  const reportedWaits: (number | null)[] = [];
  const budget = sharedBudget(testDb.db, gameId, { caller: 'person', onWait: (untilMs) => reportedWaits.push(untilMs) });
  const untilMs = Date.now() + 7_200_000;
  await budget.blockUntil({ kind: 'detail' }, untilMs);
  expect(reportedWaits).toEqual([untilMs]);
  const wait_ms = await takeCall(testDb.db, gameId, 'detail', 500);
  expect(wait_ms).toBeGreaterThan(100_000);
  expect(wait_ms).toBeLessThanOrEqual(120_000);
});

test('a wait that Invo requests on a loyalty read pauses loyalty reads only', async () => {
  const gameId = await seedGame(testDb.db, 'loyal');
  const budget = sharedBudget(testDb.db, gameId, { caller: 'person' });
  await budget.blockUntil({ kind: 'loyalty' }, Date.now() + 90_000);
  expect(await takeCall(testDb.db, gameId, 'detail', 500)).toBe(0);
  expect(await takeCall(testDb.db, gameId, 'loyalty', 500)).toBeGreaterThan(60_000);
});

test.each([
  ['purchase', 18],
  ['item', 55],
  ['initiate', 9],
] as const)(
  'each player has %s calls of their own, %i a minute, and a wait that Invo requests holds up nobody else',
  async (kind, calls) => {
    const gameId = await seedGame(testDb.db, kind);
    const take = (playerId: number): Promise<number> => takeActionCall(testDb.db, gameId, { kind, playerId });
    for (let call = 1; call <= calls; call += 1) expect(await take(7), `call ${call}`).toBe(0);
    expect(await take(7)).toBeGreaterThan(30_000);
    expect(await take(8)).toBe(0);
    await sharedBudget(testDb.db, gameId, { caller: 'person' }).blockUntil({ kind, playerId: 8 }, Date.now() + 90_000);
    expect(await take(8)).toBeGreaterThan(60_000);
    expect(await take(9)).toBe(0);
    expect(await takeActionCall(testDb.db, gameId, { kind: 'other' })).toBe(0);
  },
);

test('one person’s look-ups take half of a budget at most, and a refund or another person still gets a call', {
  tags: 'proof',
}, async () => {
  const gameId = await seedGame(testDb.db, 'looked-up');
  await testDb.pool.query(`insert into rate_bucket (game_id, bucket) values ($1, 'subscription:SUB_1'), ($1, 'detail')`, [gameId]);
  const route = { kind: 'detail', subscriptionId: 'SUB_1' } as const;
  const take = async (lookUpBy?: string): Promise<'taken' | 'waits'> => {
    const waits = new AbortController();
    const onWait = (untilMs: number | null): void => {
      if (untilMs !== null) waits.abort();
    };
    const budget = sharedBudget(testDb.db, gameId, { caller: 'person', onWait, ...(lookUpBy === undefined ? {} : { lookUpBy }) });
    return await budget.take(route, waits.signal).then(
      () => 'taken' as const,
      () => 'waits' as const,
    );
  };
  // 57 of the 115 calls a minute for one subscription.
  for (let call = 1; call <= 57; call += 1) expect(await take('vera'), `call ${call}`).toBe('taken');
  expect(await take('vera')).toBe('waits');
  expect(await take('sami')).toBe('taken');
  expect(await take()).toBe('taken');
  await testDb.pool.query(`update rate_call set called_at = called_at - interval '61 seconds' where game_id = $1`, [gameId]);
  expect(await take('vera')).toBe('taken');
});

test('of 1,401 balance reads in one minute the last waits and says so; Invo allows 1,500, so it never has to refuse one', async () => {
  const gameId = await seedGame(testDb.db, 'crowded');
  await testDb.pool.query(`insert into rate_bucket (game_id, bucket) values ($1, 'balance')`, [gameId]);
  const reportedWaits: (number | null)[] = [];
  const take = async (caller: 'pull' | 'person'): Promise<'taken' | 'waits'> => {
    const waits = new AbortController();
    const onWait = (untilMs: number | null): void => {
      reportedWaits.push(untilMs);
      if (untilMs !== null) waits.abort();
    };
    return await sharedBudget(testDb.db, gameId, { caller, onWait })
      .take({ kind: 'balance' }, waits.signal)
      .then(
        () => 'taken' as const,
        () => 'waits' as const,
      );
  };
  // The first 1,399 of them, over the last 30 seconds.
  await testDb.pool.query(
    `insert into rate_call (game_id, bucket, called_at) select $1, 'balance', clock_now() - make_interval(secs => n * 30 / 1399.0) from generate_series(1, 1399) n`,
    [gameId],
  );
  const before_ms = Date.now();
  expect(await take('pull')).toBe('taken');
  expect(reportedWaits).toEqual([]);
  for (const caller of ['person', 'pull'] as const) expect(await take(caller)).toBe('waits');
  expect(reportedWaits).toHaveLength(2);
  for (const untilMs of reportedWaits) expect(untilMs).toBeGreaterThan(before_ms);
  // The virtual minute advances until some of them are a minute old.
  await testDb.pool.query(`update rate_call set called_at = called_at - interval '31 seconds' where game_id = $1`, [gameId]);
  expect(await take('person')).toBe('taken');
});
