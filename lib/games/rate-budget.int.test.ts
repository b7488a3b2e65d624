import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDb } from '#db/kit/open.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { ensureGame, pauseBucket, purgeBuckets, startLongWait, takeCall } from './writes.ts';

let testDb: TestDb;
let gameId: number;

beforeAll(async () => {
  testDb = await createTestDb();
  gameId = (await ensureGame(testDb.db, { slug: 'aurora', environment: 'sandbox', name: 'Aurora', timeZone: 'UTC' })).gameId;
});
afterAll(() => testDb.close());
beforeEach(async () => {
  await testDb.pool.query('delete from rate_call');
  await testDb.pool.query('delete from rate_bucket');
});

describe('the call budget', () => {
  test('grants as many calls as it has, then returns the time to wait', async () => {
    for (let call = 0; call < 5; call += 1) expect(await takeCall(testDb.db, gameId, 'aggregate', 5)).toBe(0);
    const wait = await takeCall(testDb.db, gameId, 'aggregate', 5);
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });

  test('never grants two concurrent processes more than the budget together', { tags: 'proof' }, async () => {
    const other = openDb(testDb.url);
    await other.db.selectFrom('game').select('slug').execute();
    const asks = Array.from({ length: 60 }, (_, index) => takeCall(index % 2 === 0 ? testDb.db : other.db, gameId, 'aggregate', 20));
    const waits = await Promise.all(asks);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    await other.close();
  });

  test('a caller with a smaller share leaves the rest to others', async () => {
    for (let call = 0; call < 3; call += 1) await takeCall(testDb.db, gameId, 'aggregate', 3);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 3)).toBeGreaterThan(0);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 5)).toBe(0);
  });

  test('the minute is a sliding window: a call is granted when the oldest one is a minute old', async () => {
    for (const age of [45, 30, 1]) await oldCall(age);
    const wait = await takeCall(testDb.db, gameId, 'aggregate', 3);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15_000);
    await testDb.pool.query(`update rate_call set called_at = called_at - interval '15.1 seconds'`);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 3)).toBe(0);
    const next = await takeCall(testDb.db, gameId, 'aggregate', 3);
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(14_900);
  });

  test('returns a wait without taking a call', async () => {
    await takeCall(testDb.db, gameId, 'aggregate', 1);
    for (let ask = 0; ask < 3; ask += 1) await takeCall(testDb.db, gameId, 'aggregate', 1);
    expect((await testDb.pool.query('select count(*) from rate_call')).rows).toEqual([{ count: 1 }]);
  });

  test('buckets and games have separate budgets', async () => {
    const other = await ensureGame(testDb.db, { slug: 'borealis', environment: 'sandbox', name: 'Borealis', timeZone: 'UTC' });
    expect(await takeCall(testDb.db, gameId, 'aggregate', 1)).toBe(0);
    expect(await takeCall(testDb.db, gameId, 'detail', 1)).toBe(0);
    expect(await takeCall(testDb.db, other.gameId, 'aggregate', 1)).toBe(0);
  });

  test('deletes calls older than a minute', async () => {
    for (let call = 0; call < 10; call += 1) await oldCall(61 + call);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 1)).toBe(0);
    expect((await testDb.pool.query('select count(*) from rate_call')).rows).toEqual([{ count: 1 }]);
  });
});

describe('a pull beside people', () => {
  const PULL = { shared: 55, alone: 58 };
  const PERSON = { shared: 58, alone: null };

  test('leaves three calls to a person who made a request within the last minute', async () => {
    for (let call = 0; call < 54; call += 1) await oldCall(30);
    expect(await takeCall(testDb.db, gameId, 'aggregate', PERSON)).toBe(0);
    expect(await takeCall(testDb.db, gameId, 'aggregate', PULL)).toBeGreaterThan(20_000);
    for (let call = 0; call < 3; call += 1) expect(await takeCall(testDb.db, gameId, 'aggregate', PERSON)).toBe(0);
    expect(await takeCall(testDb.db, gameId, 'aggregate', PERSON)).toBeGreaterThan(20_000);
    await testDb.pool.query(`update rate_bucket set person_asked_at = clock_now() - interval '61 seconds'`);
    await testDb.pool.query('delete from rate_call where call_id in (select call_id from rate_call order by call_id desc limit 2)');
    expect(await takeCall(testDb.db, gameId, 'aggregate', PULL)).toBe(0);
  });

  test('reserves the last call while no person makes a request, until another leaves the minute within two seconds', async () => {
    for (let call = 0; call < 56; call += 1) await oldCall(30);
    expect(await takeCall(testDb.db, gameId, 'aggregate', PULL)).toBe(0);
    const wait = await takeCall(testDb.db, gameId, 'aggregate', PULL);
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(28_000);
    await testDb.pool.query(
      `update rate_call set called_at = called_at - interval '28.1 seconds' where called_at < clock_now() - interval '20 seconds'`,
    );
    expect(await takeCall(testDb.db, gameId, 'aggregate', PULL)).toBe(0);
    const next = await takeCall(testDb.db, gameId, 'aggregate', PERSON);
    expect(next).toBeLessThanOrEqual(2_000);
  });

  test('never takes more than 58 calls a minute together with people, whatever order they ask in', { tags: 'proof' }, async () => {
    const asks = Array.from({ length: 120 }, (_, index) => takeCall(testDb.db, gameId, 'aggregate', index % 7 === 3 ? PERSON : PULL));
    const waits = await Promise.all(asks);
    expect(waits.filter((wait) => wait === 0).length).toBeLessThanOrEqual(58);
    expect(waits.filter((wait) => wait === 0).length).toBeGreaterThanOrEqual(55);
  });

  test('a person who must wait counts as one who made a request', async () => {
    for (let call = 0; call < 58; call += 1) await oldCall(30);
    expect(await takeCall(testDb.db, gameId, 'aggregate', PERSON)).toBeGreaterThan(0);
    await testDb.pool.query('delete from rate_call where call_id in (select call_id from rate_call order by call_id desc limit 2)');
    expect(await takeCall(testDb.db, gameId, 'aggregate', PULL)).toBeGreaterThan(0);
  });
});

describe('a pause requested by Invo', () => {
  test('delays every caller until it is over', async () => {
    await pauseBucket(testDb.db, gameId, 'aggregate', 60_000);
    const wait = await takeCall(testDb.db, gameId, 'aggregate', 58);
    expect(wait).toBeGreaterThan(30_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(await takeCall(testDb.db, gameId, 'detail', 58)).toBe(0);
  });

  test('is never shortened by a shorter one', async () => {
    await pauseBucket(testDb.db, gameId, 'aggregate', 60_000);
    await pauseBucket(testDb.db, gameId, 'aggregate', 10);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 58)).toBeGreaterThan(30_000);
  });

  test('of zero length delays nobody', async () => {
    await pauseBucket(testDb.db, gameId, 'aggregate', 0);
    expect(await takeCall(testDb.db, gameId, 'aggregate', 58)).toBe(0);
  });
});

async function oldCall(age_seconds: number): Promise<void> {
  await testDb.pool.query('insert into rate_bucket (game_id, bucket) values ($1, $2) on conflict do nothing', [gameId, 'aggregate']);
  await testDb.pool.query(
    `insert into rate_call (game_id, bucket, called_at) values ($1, 'aggregate', clock_now() - make_interval(secs => $2))`,
    [gameId, age_seconds],
  );
}

test('a sweep removes budgets and calls that limit nothing any more, and no others', async () => {
  for (const bucket of ['idle', 'busy', 'locked']) await takeCall(testDb.db, gameId, bucket, 5);
  await pauseBucket(testDb.db, gameId, 'paused', 60_000);
  await startLongWait(testDb.db, gameId, 'long wait', 3_600_000);
  await takeCall(testDb.db, gameId, 'person', { shared: 5, alone: null });
  await testDb.pool.query(`update rate_call set called_at = called_at - interval '61 seconds' where bucket <> 'busy'`);
  const holder = await testDb.pool.connect();
  await holder.query('begin');
  await holder.query(`select 1 from rate_bucket where game_id = ${gameId} and bucket = 'locked' for update`);
  await purgeBuckets(testDb.db, gameId);
  await holder.query('rollback');
  holder.release();
  const { rows } = await testDb.pool.query<{ bucket: string }>('select bucket from rate_bucket order by bucket');
  expect(rows.map(({ bucket }) => bucket)).toEqual(['busy', 'locked', 'long wait', 'paused', 'person']);
});

test('calls beside sweeps stay within the budget', { tags: 'proof' }, async () => {
  const waits = await Promise.all(
    Array.from({ length: 40 }, async (_, turn) => {
      if (turn % 4 === 0) await purgeBuckets(testDb.db, gameId);
      return await takeCall(testDb.db, gameId, 'aggregate', 10);
    }),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
});
