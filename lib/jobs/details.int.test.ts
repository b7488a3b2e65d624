import { afterAll, beforeAll, expect, test } from 'vitest';
import { OCTOBER, openTestEnvironment, SECRET, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { claimDetailJob, endDetailJob } from '#lib/fees/writes/detail-queue.ts';
import { readConfig } from '../config.ts';
import { createHandlers } from './handlers.ts';

let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(OCTOBER);
  ({ gameId } = await testEnv.game());
  await testEnv.pool.query(`insert into detail_setting (game_id, card_periods, subscriptions, set_by) values ($1, 'off', 'off', 'test')`, [
    gameId,
  ]);
});
afterAll(() => testEnv.close());

function handlersOf(settings: Record<string, string>, logged: Record<string, unknown>[] = []): ReturnType<typeof createHandlers> {
  const env = { DATABASE_URL: testEnv.url, INVO_GAME: 'demo', INVO_BASE_URL: testEnv.upstream.url, INVO_GAME_SECRET: SECRET };
  return createHandlers(readConfig({ ...env, INVO_GAME_NAME: 'Demo', ...settings }), {
    open: () => testEnv.game(),
    db: testEnv.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (event, fields) => logged.push({ event, ...fields }),
  });
}

async function listJobs(): Promise<unknown[]> {
  const { rows } = await testEnv.pool.query(`select window_start, state, requested_by from detail_job where window_start = $1`, [
    OCTOBER.start,
  ]);
  return rows;
}

test('the tick requests the detail reports of a complete month, unless that is switched off, and the worker reads them', {
  tags: 'proof',
  timeout: 120_000,
}, async () => {
  await handlersOf({ SHAREBOOK_DETAIL_REPORTS: 'off' }).tick.run(null);
  expect(await listJobs()).toEqual([]);
  const logged: Record<string, unknown>[] = [];
  const handlers = handlersOf({}, logged);
  await handlers.tick.run(null);
  await handlers.tick.run(null);
  expect(await listJobs()).toEqual([{ window_start: OCTOBER.start, state: 'queued', requested_by: 'schedule' }]);
  // A search waits for pulls; the tick requested the open month.
  await testEnv.pool.query(`update pull set state = 'failed', ended_at = now(), failure_code = 'test' where state = 'queued'`);
  await handlers.details.run(gameId);
  expect(await listJobs()).toEqual([{ window_start: OCTOBER.start, state: 'done', requested_by: 'schedule' }]);
  expect(logged).toMatchObject([{ event: 'detail reports', outcome: 'done' }]);
});

test('one job of a game runs at a time, whichever process claims it', async () => {
  const insert = async (start: string): Promise<unknown> =>
    testEnv.pool.query(`insert into detail_job (game_id, window_start, window_end, requested_by) values ($1, $2, $3, 'test')`, [
      gameId,
      start,
      OCTOBER.end,
    ]);
  await insert('2026-10-01T00:00:00Z');
  await insert('2026-10-15T00:00:00Z');
  const first = await claimDetailJob(testEnv.db, 'one', gameId);
  expect(first).not.toBeNull();
  expect(await claimDetailJob(testEnv.db, 'one', gameId), 'not even the same process').toBeNull();
  expect(await claimDetailJob(testEnv.db, 'two', gameId)).toBeNull();
  if (first !== null) await endDetailJob(testEnv.db, first, 'done');
  const second = await claimDetailJob(testEnv.db, 'two', gameId);
  expect(second).not.toBeNull();
  if (second !== null) await endDetailJob(testEnv.db, second, 'done');
  await expect(endDetailJob(testEnv.db, { ...first, gameId, detailJobId: first?.detailJobId ?? 0, owner: 'one' }, 'done')).rejects.toThrow(
    'no longer ours',
  );
});

test('a job whose process fell silent is taken over', { tags: 'proof', timeout: 120_000 }, async () => {
  await testEnv.pool.query(
    `insert into detail_job (game_id, window_start, window_end, requested_by, state, lease_owner, lease_until)
     values ($1, $2, $3, 'test', 'running', 'silent', now() - interval '1 second')`,
    [gameId, OCTOBER.start, OCTOBER.end],
  );
  await handlersOf({}).details.run(gameId);
  const { rows } = await testEnv.pool.query(`select state, attempt_count from detail_job order by detail_job_id desc limit 1`);
  expect(rows).toEqual([{ state: 'done', attempt_count: 1 }]);
});
