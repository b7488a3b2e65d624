// @module-tag no-retry
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proofSize } from '#e2e/support/proof.ts';
import { startWorker } from '#e2e/support/start-worker.ts';
import { NOW, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findPullJob } from '#lib/evidence/reads/pulls.ts';
import { claimPull } from '#lib/evidence/writes/pull-queue.ts';
import { requestPull } from '../evidence/pull/request-pull.ts';
import { runPull } from '../evidence/pull/run-pull.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';

/** Two months, so that a pull stores one slice and then goes for another. */
const TWO_MONTHS = { start: '2026-07-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
const AUGUST = { start: '2026-08-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
/** When a worker is killed: what it waits for at Invo, or the table that it can't write to; and the slices it has stored by then. */
const KILLED: [title: string, arm: ((own: TestEnvironment) => Promise<void>) | null, lockedTable: string | null, storedSlices: number][] = [
  [
    'while Invo answers',
    async (own) => void (await own.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: AUGUST.start } } }])),
    null,
    1,
  ],
  ['killed while the snapshot is stored', null, 'snapshot_check', 2],
  ['killed while the lines of the first slice are stored', null, 'renewal_line', 0],
  ['killed while the responses of the first slice are stored', null, 'response', 0],
  ['killed while the pull is marked as done', null, 'snapshot_recipient', 2],
];
const WORKERS = proofSize(2, 4);
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
});
afterAll(() => testEnv.close());

describe('one window is pulled once at a time', () => {
  test('fifty concurrent requests create one pull, claimed once', async () => {
    const { gameId } = await testEnv.game();
    const requested = await Promise.all(Array.from({ length: 50 }, () => request(testEnv, AUGUST)));
    expect(new Set(requested.map((each) => each.pullId)).size).toBe(1);
    expect(requested.filter((each) => each.isNew)).toHaveLength(1);
    const claims = await Promise.all(Array.from({ length: 50 }, (_, index) => claimPull(testEnv.db, `process ${index}`, { gameId })));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    await testEnv.pool.query(`update pull set state = 'queued', lease_owner = null, lease_until = null`);
  });

  test(`${WORKERS} real workers pull it once, and each month of the schedule once`, { tags: ['proof'] }, async () => {
    await testEnv.forgetCalls();
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(testEnv)));
    const ended = async (): Promise<unknown> =>
      (await testEnv.pool.query(`select state, count(*)::int, sum(call_count)::int as calls from pull group by 1`)).rows;
    await expect.poll(ended, { timeout: 180_000 }).toMatchObject([{ state: 'done', count: 4 }]);
    expect(await ended()).toMatchObject([{ calls: (await testEnv.calls()).length }]);
    expect(await countHalves(testEnv)).toEqual(NO_HALVES);
    expect(await testEnv.db.selectFrom('snapshot').select('window_start').orderBy('window_start').execute()).toMatchObject(
      ['2026-08', '2026-09', '2026-10', '2026-11'].map((month) => ({ window_start: `${month}-01T00:00:00Z` })),
    );
    expect(await Promise.all(workers.map((worker) => worker.end('SIGTERM')))).toEqual(workers.map(() => 0));
  });
});

describe('a killed worker', () => {
  test.each(KILLED)(
    '%s leaves nothing half stored, and the next one continues',
    { tags: 'proof' },
    async (_, arm, lockedTable, storedSlices) => {
      const own = await openTestEnvironment();
      await arm?.(own);
      const lock = lockedTable === null ? null : await lockTable(own, lockedTable);
      const { pullId } = await request(own, TWO_MONTHS);
      const worker = await startWorker(own);
      if (lock) await untilBlocked(own);
      else await untilHeldAfterOneSlice(own);
      expect(await worker.end('SIGKILL')).toBe('SIGKILL');
      await lock?.query('rollback');
      lock?.release();
      await own.control('DELETE', 'faults');
      expect(await countSlices(own)).toBe(storedSlices);
      expect(await countHalves(own)).toEqual(NO_HALVES);
      await endLease(own);
      await own.forgetCalls();
      const resumed = await own.pull(TWO_MONTHS);
      expect(resumed.job).toMatchObject({ pullId, state: 'done', attemptCount: 2 });
      expect(resumed.snapshot?.status).toBe('complete');
      expect(await countSlices(own)).toBe(2);
      const pages = (await own.calls()).filter((call) => new URL(call.path, own.upstream.url).searchParams.get('limit') === '100');
      expect(pages).toHaveLength(2 - storedSlices);
      expect((await verifyGame(own.db, (await own.game()).gameId)).violations).toEqual([]);
      await own.close();
    },
  );

  test('on SIGTERM, it releases the pull at once and exits with 0', { tags: ['proof'] }, async () => {
    const own = await openTestEnvironment();
    await own.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: AUGUST.start } } }]);
    const { pullId } = await request(own, TWO_MONTHS);
    const worker = await startWorker(own);
    await untilHeldAfterOneSlice(own);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await findPullJob(own.db, (await own.game()).gameId, pullId)).toMatchObject({ state: 'queued' });
    await own.control('DELETE', 'faults');
    expect((await own.pull(TWO_MONTHS)).job).toMatchObject({ pullId, state: 'done' });
    await own.close();
  });
});

describe('a lost lease', () => {
  test('stops the work at the next heartbeat, and nothing read is stored', async () => {
    const own = await openTestEnvironment();
    const lease = await own.claim(TWO_MONTHS);
    await own.control('POST', 'faults', [{ kind: 'hold' }]);
    const run = runPull(await own.game(), own.config, lease);
    await expect.poll(() => own.heldCount()).toBe(1);
    await own.pool.query(`update pull set lease_owner = 'another process'`);
    expect(await run).toEqual({ ended: 'lost' });
    expect(await countSlices(own)).toBe(0);
    expect(await own.db.selectFrom('response').select('response_id').execute()).toEqual([]);
    await own.close();
  });

  test('between two heartbeats stops the write itself', async () => {
    const own = await openTestEnvironment();
    const lease = await own.claim(AUGUST);
    await own.pool.query(`update pull set lease_owner = 'another process'`);
    expect(await runPull(await own.game(), own.config, lease)).toEqual({ ended: 'lost' });
    expect([await countSlices(own), await own.db.selectFrom('snapshot').select('snapshot_id').execute()]).toEqual([0, []]);
    await own.close();
  });
});

test('a pull that never finishes is ended with a message', async () => {
  const own = await openTestEnvironment();
  const lease = await own.claim(AUGUST);
  await own.pool.query('update pull set attempt_count = 21');
  expect(await runPull(await own.game(), own.config, lease)).toMatchObject({
    ended: 'failed',
    code: 'gave_up',
    sentence: expect.stringMatching(/started 20 times/),
  });
  await own.close();
});

async function request(own: TestEnvironment, window: typeof AUGUST): Promise<{ pullId: number; isNew: boolean }> {
  const { gameId } = await own.game();
  const requested = await requestPull(own.db, { gameId, window, isFresh: false, requestedBy: 'test', now: NOW, settleLag_minutes: 15 });
  if (!requested.ok) throw new Error(requested.reason);
  return requested;
}

async function lockTable(own: TestEnvironment, table: string): Promise<pg.PoolClient> {
  const client = await own.pool.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in share mode`);
  return client;
}

async function untilBlocked(own: TestEnvironment): Promise<void> {
  const blocked = async (): Promise<number> =>
    (
      await own.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
      )
    ).rows.length;
  await expect.poll(blocked).toBeGreaterThan(0);
}

async function untilHeldAfterOneSlice(own: TestEnvironment): Promise<void> {
  await expect.poll(async () => [await countSlices(own), await own.heldCount()]).toEqual([1, 1]);
}

async function endLease(own: TestEnvironment): Promise<void> {
  await own.pool.query(`update pull set lease_until = clock_now() - interval '1 second' where state = 'running'`);
}

async function countSlices(own: TestEnvironment): Promise<number> {
  return (await own.db.selectFrom('slice').select('slice_id').execute()).length;
}

const NO_HALVES = { lines: 0, recipients: 0, responses: 0, snapshots: 0, slices: 0 };

/** Rows whose slice or snapshot is not there, and snapshots without their rows. */
async function countHalves(own: TestEnvironment): Promise<typeof NO_HALVES> {
  const { rows } = await own.pool.query<typeof NO_HALVES>(`select
    (select count(*)::int from renewal_line l where not exists (select 1 from slice s where s.game_id = l.game_id and s.slice_id = l.slice_id)) as lines,
    (select count(*)::int from slice_recipient r where not exists (select 1 from slice s where s.game_id = r.game_id and s.slice_id = r.slice_id)) as recipients,
    (select count(*)::int from response r where slice_id is not null and not exists (select 1 from slice s where s.game_id = r.game_id and s.slice_id = r.slice_id)) as responses,
    (select count(*)::int from snapshot n where not exists (select 1 from snapshot_check c where c.game_id = n.game_id and c.snapshot_id = n.snapshot_id)
       or (select count(*) from snapshot_recipient r where r.game_id = n.game_id and r.snapshot_id = n.snapshot_id) <> n.recipient_count) as snapshots,
    (select count(*)::int from slice s where (select count(*) from renewal_line l where l.game_id = s.game_id and l.slice_id = s.slice_id) <> s.renewal_line_count
       or not exists (select 1 from response r where r.game_id = s.game_id and r.slice_id = s.slice_id)) as slices`);
  return rows[0] ?? NO_HALVES;
}
