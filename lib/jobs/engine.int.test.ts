import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type JobHandler, startEngine } from './engine.ts';

let database: TestDb;
beforeAll(async () => {
  database = await createTestDb();
});
afterAll(() => database.close());

const idle: JobHandler = { concurrency: 1, run: async () => undefined };

test('the schema of the migration is the one this version of the job engine expects', async () => {
  const boss = new PgBoss({ connectionString: database.url, migrate: false });
  boss.on('error', () => undefined);
  await boss.start();
  expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true });
  await boss.stop({ graceful: false });
});

test('a woken row starts its handler by notification, once with two workers, and one that is due later does not', async () => {
  const runs: (number | null)[] = [];
  const logged: Record<string, unknown>[] = [];
  const stopping = new AbortController();
  const start = () =>
    startEngine(
      database.url,
      {
        pull: idle,
        refund: { concurrency: 3, run: async (gameId) => void runs.push(gameId) },
        actions: idle,
        rendition: idle,
        details: idle,
        statements: idle,
        balances: idle,
        notices: idle,
        deliveries: idle,
        tick: idle,
      },
      // Polled so rarely, only the notification can wake a worker within this test.
      { signal: stopping.signal, log: (event, fields) => logged.push({ event, ...fields }), poll_seconds: 600 },
    );
  const engines = [await start(), await start()];
  await database.pool.query(`select wake('refund', '7:2', '{"gameId": 8}', clock_now() + interval '1 hour')`);
  await database.pool.query(`select wake('refund', '7:1', '{"gameId": 7}', clock_now() + interval '1 hour')`);
  await database.pool.query(`select wake('refund', '7:1', '{"gameId": 7}', clock_now())`);
  await expect.poll(() => runs).toEqual([7]);
  stopping.abort();
  for (const engine of engines) await engine?.stop();
  expect(runs).toEqual([7]);
  expect(logged.filter(({ event }) => event !== 'job')).toEqual([]);
  expect(logged).toContainEqual({
    event: 'job',
    queue: 'refund',
    gameId: 7,
    job: expect.any(String),
    ms: expect.any(Number),
    waited_ms: expect.any(Number),
  });
});
