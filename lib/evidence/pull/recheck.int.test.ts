import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet } from '#e2e/support/read-sheet.ts';
import { NOW, OCTOBER, openTestEnvironment, type Pulled, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findDrift } from '../reads/drift.ts';
import { verifyGame } from '../verify/verify-game.ts';
import { runPull } from './run-pull.ts';

const FIRST_WEEK = { start: '2026-10-01T00:00:00Z', end: '2026-10-08T00:00:00Z' };
/** Two days without the crowd of October: a window like any other, and quick to pull. */
const TWO_DAYS = { start: '2026-10-15T00:00:00Z', end: '2026-10-17T00:00:00Z' };
const THIRD_WEEK = { start: '2026-10-15T00:00:00Z', end: '2026-10-22T00:00:00Z' };
// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;
let first: Pulled;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  for (const week of [FIRST_WEEK, THIRD_WEEK]) await testEnv.pull(week);
  first = await testEnv.pull(OCTOBER);
  await testEnv.forgetCalls();
});
afterAll(() => testEnv.close());

test('pulling a complete month again makes one call and stores a re-check, not a second snapshot', async () => {
  const again = await testEnv.pull(OCTOBER);
  expect([again.job.calls, (await testEnv.calls()).length]).toEqual([1, 1]);
  expect(again.snapshot?.snapshotId).toBe(first.snapshot?.snapshotId);
  expect(await rechecks()).toEqual([{ snapshot_id: first.snapshot?.snapshotId, is_equal: true, call_count: 1 }]);
  expect(await snapshots()).toHaveLength(3);
  expect((await verify()).violations).toEqual([]);
});

test('a fresh pull with equal figures stores new versions and a new snapshot without drift', { tags: 'proof' }, async () => {
  const fresh = await testEnv.pull(OCTOBER, { isFresh: true });
  expect(fresh.snapshot?.status).toBe('complete');
  expect(fresh.snapshot?.totals).toEqual(first.snapshot?.totals);
  expect(fresh.snapshot?.snapshotId).not.toBe(first.snapshot?.snapshotId);
  // The first one was cut at the weeks pulled before it, so its digest of the same facts is another.
  const { gameId } = await testEnv.game();
  expect(await findDrift(testEnv.db, gameId, fresh.snapshot?.snapshotId ?? 0)).toBeNull();
  expect((await rechecks()).map((each) => each.is_equal)).toEqual([true, true]);
  expect((await verify()).violations).toEqual([]);
});

test('one false control total is requested again and not used', async () => {
  await testEnv.control('POST', 'faults', [{ kind: 'totals_cent', match: { query: { limit: '1' } } }]);
  const again = await testEnv.pull(OCTOBER);
  expect([again.snapshot?.status, again.snapshot?.totals]).toEqual(['complete', first.snapshot?.totals]);
});

test('control totals made before the window ended are read again, then end the pull with a message', { tags: 'proof' }, async () => {
  const early = { kind: 'early_generated_at', match: { query: { limit: '1' } } };
  await testEnv.control('POST', 'faults', [early]);
  expect((await testEnv.pull(OCTOBER)).snapshot?.status).toBe('complete');
  await testEnv.control('POST', 'faults', [{ ...early, times: 2 }]);
  const { job } = await testEnv.pull(OCTOBER);
  expect(job.failure).toMatchObject({
    code: 'clocks_disagree',
    sentence: expect.stringMatching(/generated its report at 2026-10-31T23:59:59\.999Z, before/),
  });
  expect((await verify()).violations).toEqual([]);
});

test('a refund dated in a closed month is found by pulling only its slice again; the old snapshot stays', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  for (const week of [FIRST_WEEK, THIRD_WEEK]) await other.pull(week);
  const before = await other.pull(OCTOBER);
  const oldSheet = await readSheet(other, OCTOBER, 'recipients');
  const line = await lineWithoutRefund(other);
  await other.control('POST', 'refunds', { period_id: line.period_id, refunded_at: '2026-10-18T10:00:00Z' });
  await other.forgetCalls();
  const after = await other.pull(OCTOBER);
  expect(after.snapshot?.status).toBe('complete');
  expect(after.snapshot?.snapshotId).not.toBe(before.snapshot?.snapshotId);
  const [held, renewed] = [await slicesOf(other, before), await slicesOf(other, after)];
  expect(renewed.map((slice) => slice.version)).toEqual(held.map((slice) => (slice.window_start === THIRD_WEEK.start ? 2 : 1)));
  expect(renewed.filter((slice, index) => slice.slice_id !== held[index]?.slice_id).map((slice) => slice.window_start)).toEqual([
    THIRD_WEEK.start,
  ]);
  const moved = Number(after.snapshot?.totals.reversed_attributed_usd) - Number(before.snapshot?.totals.reversed_attributed_usd);
  expect(moved).toBeCloseTo(Number(line.attributed_amount_usd), 6);
  expect(await rechecks(other)).toMatchObject([{ snapshot_id: before.snapshot?.snapshotId, is_equal: false }]);
  expect(await readSheet(other, OCTOBER, 'recipients')).not.toEqual(oldSheet);
  expect(
    await other.db
      .selectFrom('snapshot')
      .select('snapshot_id')
      .where('snapshot_id', '=', before.snapshot?.snapshotId ?? 0)
      .execute(),
  ).toHaveLength(1);
  const { gameId } = await other.game();
  expect((await verifyGame(other.db, gameId)).violations).toEqual([]);
  expect(after.job.calls).toBe((await other.calls()).length);
  await other.close();
});

test('other totals are stored before anything is pulled again, once, and with the answers that show them', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  const before = await other.pull(TWO_DAYS);
  await other.control('POST', 'refunds', { period_id: (await lineWithoutRefund(other)).period_id, refunded_at: '2026-10-16T10:00:00Z' });
  await other.control('POST', 'faults', [{ kind: 'hold', match: { query: { limit: '100' } } }]);
  const pull = other.pull(TWO_DAYS);
  await expect.poll(() => other.heldCount()).toBeGreaterThan(0);
  const differing = { snapshot_id: before.snapshot?.snapshotId, is_equal: false, call_count: 2 };
  expect(await rechecks(other)).toEqual([differing]);
  const { rows } = await other.pool.query(`select count(*)::int as count from response where purpose = 'control' and snapshot_id = $1`, [
    before.snapshot?.snapshotId,
  ]);
  expect(rows[0].count).toBe(2);
  const month = await other.db.selectFrom('current_window').select(['snapshot_id', 'recheck_is_equal']).executeTakeFirstOrThrow();
  expect(month).toEqual({ snapshot_id: before.snapshot?.snapshotId, recheck_is_equal: false });
  await other.control('DELETE', 'faults');
  await other.release();
  const after = await pull;
  expect(after.snapshot?.status).toBe('complete');
  expect(await rechecks(other)).toEqual([differing]);
  expect((await verifyGame(other.db, (await other.game()).gameId)).violations).toEqual([]);
  await other.close();
});

test('a re-check with equal totals and the snapshot that follows it are stored together or not at all', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  await other.pull(TWO_DAYS);
  await other.pool.query(
    `create function refuse_second() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`,
  );
  await other.pool.query(`create trigger snapshot_refused before insert on snapshot for each row execute function refuse_second()`);
  await expect(other.pull(TWO_DAYS, { isFresh: true })).rejects.toThrow('the disk is full');
  expect(await rechecks(other)).toEqual([]);
  await other.pool.query('drop trigger snapshot_refused on snapshot');
  const again = await other.pull(TWO_DAYS, { isFresh: true });
  expect(again.snapshot?.status).toBe('complete');
  expect(await rechecks(other)).toMatchObject([{ is_equal: true }]);
  await other.close();
});

test('a re-check that is changed after its pull failed or was repeated is found', { tags: 'proof' }, async () => {
  const other = await openTestEnvironment();
  await other.pull(TWO_DAYS);
  await other.control('POST', 'refunds', { period_id: (await lineWithoutRefund(other)).period_id, refunded_at: '2026-10-16T10:00:00Z' });
  await other.control('POST', 'faults', [{ kind: '403', match: { query: { limit: '100' } } }]);
  expect((await other.pull(TWO_DAYS)).job.state).toBe('failed');
  const { gameId } = await other.game();
  expect((await verifyGame(other.db, gameId)).violations).toEqual([]);
  await other.pool.query(`alter table recheck disable trigger recheck_kept; update recheck set is_equal = true`);
  expect((await verifyGame(other.db, gameId)).violations.map(({ name }) => name)).toContain('recheck_result');
  await other.close();
});

test('an interrupted fresh pull continues with the slices it pulled itself', { tags: 'proof' }, async () => {
  const quarter = { start: '2026-06-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
  await testEnv.pull(quarter);
  const lease = await testEnv.claim(quarter, { isFresh: true });
  await testEnv.control('POST', 'faults', [{ kind: 'hold', match: { query: { start: '2026-07-01T00:00:00Z' } } }]);
  const stopper = new AbortController();
  const game = await testEnv.game();
  const run = runPull(game, testEnv.config, lease, { signal: stopper.signal });
  const isStored = async (): Promise<number> =>
    (await testEnv.db.selectFrom('slice').select('slice_id').where('pull_id', '=', lease.pullId).execute()).length;
  await expect.poll(isStored).toBe(1);
  await expect.poll(() => testEnv.heldCount()).toBe(1);
  stopper.abort();
  expect(await run).toEqual({ ended: 'released' });
  await testEnv.forgetCalls();
  const resumed = await testEnv.pull(quarter, { isFresh: true, now: NOW });
  expect(resumed.job).toMatchObject({ pullId: lease.pullId, state: 'done', attemptCount: 2 });
  expect((await testEnv.calls()).map((call) => new URL(call.path, 'http://x').searchParams.get('start')?.slice(0, 7))).not.toContain(
    '2026-06-01',
  );
  const versions = await slicesOf(testEnv, resumed);
  expect(versions.map((slice) => [slice.window_start.slice(0, 7), slice.version])).toEqual([
    ['2026-06', 2],
    ['2026-07', 2],
    ['2026-08', 2],
  ]);
});

async function verify(): ReturnType<typeof verifyGame> {
  return verifyGame(testEnv.db, (await testEnv.game()).gameId);
}

async function rechecks({ db }: TestEnvironment = testEnv): Promise<{ snapshot_id: number; is_equal: boolean; call_count: number }[]> {
  return db.selectFrom('recheck').select(['snapshot_id', 'is_equal', 'call_count']).orderBy('recheck_id').execute();
}

async function snapshots(): Promise<unknown[]> {
  return testEnv.db.selectFrom('snapshot').select('snapshot_id').execute();
}

async function slicesOf({ db }: TestEnvironment, { job }: Pulled): Promise<{ slice_id: number; window_start: string; version: number }[]> {
  return db
    .selectFrom('snapshot_slice')
    .innerJoin('slice', (join) =>
      join.onRef('slice.game_id', '=', 'snapshot_slice.game_id').onRef('slice.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .select(['slice.slice_id', 'slice.window_start', 'slice.version'])
    .where('snapshot_slice.snapshot_id', '=', job.snapshotId ?? 0)
    .orderBy('slice_no')
    .execute();
}

async function lineWithoutRefund({ db }: TestEnvironment): Promise<{ period_id: number; attributed_amount_usd: string }> {
  return db
    .selectFrom('renewal_line')
    .select(['period_id', 'attributed_amount_usd'])
    .where('paid_at', '>=', '2026-10-15T00:00:00Z')
    .where('paid_at', '<', '2026-10-16T00:00:00Z')
    .where('refunded_at', 'is', null)
    .orderBy('period_id')
    .limit(1)
    .executeTakeFirstOrThrow();
}
