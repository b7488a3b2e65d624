import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOW, OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { askWithin } from '#lib/games/game-context.ts';
import { ensureGame } from '#lib/games/writes.ts';
import { readAttributionReport } from '#lib/invo/routes/attribution-report.ts';
import { findPullJob } from '../reads/pulls.ts';
import { claimPull, insertPull } from '../writes/pull-queue.ts';
import { requestPull } from './request-pull.ts';
import { type PullRun, runPull } from './run-pull.ts';

const HOURS_2 = 7_200;
// The tests of this file continue from one another, in this order.
let testEnv: TestEnvironment;
let gameId: number;
let pullId: number;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  ({ gameId } = await testEnv.game());
  const requested = await requestPull(testEnv.db, {
    gameId,
    window: OCTOBER,
    isFresh: false,
    requestedBy: 'test',
    now: NOW,
    settleLag_minutes: 15,
  });
  if (!requested.ok) throw new Error(requested.reason);
  ({ pullId } = requested);
});
afterAll(() => testEnv.close());

describe('when Invo requests a wait of two hours', () => {
  test('the pull is queued again after one call, with the end of the wait, and the attempt doesn’t count', async () => {
    await refuseOnce();
    expect(await runNext()).toMatchObject({ ended: 'deferred' });
    expect(await testEnv.calls()).toHaveLength(1);
    const job = await findPullJob(testEnv.db, gameId, pullId);
    expect(job).toMatchObject({ state: 'queued', attemptCount: 0, failure: null });
    const wait_s = (Date.parse(job.waitingUntil ?? '') - Date.now()) / 1_000;
    expect(Math.abs(wait_s - HOURS_2)).toBeLessThan(120);
  });

  test('no process claims it, and a person learns until when without a call', async () => {
    expect(await claimPull(testEnv.db, 'worker', { gameId })).toBeNull();
    const context = { game: await testEnv.game(), config: testEnv.config };
    const reading = askWithin(context, {}, (invo, signal) => readAttributionReport(invo, { ...OCTOBER, limit: 1 }, signal));
    await expect(reading).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
    expect(await testEnv.calls()).toHaveLength(1);
  });

  test('pulls of another game are claimed meanwhile', async () => {
    const other = await ensureGame(testEnv.db, { slug: 'other', environment: 'production', name: 'Other', timeZone: 'UTC' });
    const theirs = await insertPull(testEnv.db, { gameId: other.gameId, window: OCTOBER, isFresh: false, requestedBy: 'test' });
    expect(await claimPull(testEnv.db, 'worker', { gameId: other.gameId })).toMatchObject({ pullId: theirs.pullId });
  });

  test('after fifteen minutes one call finds out whether Invo answers, and a refusal costs only that one', async () => {
    await untilProbe();
    await refuseOnce();
    expect(await runNext()).toMatchObject({ ended: 'deferred' });
    expect(await testEnv.calls()).toHaveLength(2);
    expect(await runNext()).toBeNull();
  });

  test('an answered one ends the wait, and the pull completes', async () => {
    await untilProbe();
    expect(await runNext()).toMatchObject({ ended: 'done' });
    const { rows } = await testEnv.pool.query(`select asked_until, probe_at from rate_bucket where game_id = $1 and bucket = 'aggregate'`, [
      gameId,
    ]);
    expect(rows).toEqual([{ asked_until: null, probe_at: null }]);
  });

  test('the wait ends by itself at the time Invo named', async () => {
    await requestPull(testEnv.db, { gameId, window: OCTOBER, isFresh: false, requestedBy: 'test', now: NOW, settleLag_minutes: 15 });
    await refuseOnce();
    expect(await runNext()).toMatchObject({ ended: 'deferred' });
    await testEnv.pool.query(`update rate_bucket set asked_until = clock_now() - interval '1 second' where game_id = $1`, [gameId]);
    expect(await runNext()).toMatchObject({ ended: 'done' });
  });
});

test('a wait of fifteen minutes or less is no long wait', async () => {
  await testEnv.control('POST', 'faults', [{ kind: '429', retryAfter: 1 }]);
  expect((await testEnv.pull(OCTOBER)).run).toMatchObject({ ended: 'done' });
});

async function refuseOnce(): Promise<void> {
  await testEnv.control('POST', 'faults', [{ kind: '429', retryAfter: HOURS_2 }]);
}

/** As if fifteen minutes had passed. */
async function untilProbe(): Promise<void> {
  await testEnv.pool.query(`update rate_bucket set probe_at = clock_now() - interval '1 second' where game_id = $1`, [gameId]);
}

/** Runs the next pull of the game as a worker does; null: there is none to claim. */
async function runNext(): Promise<PullRun | null> {
  const lease = await claimPull(testEnv.db, 'worker', { gameId });
  return lease === null ? null : await runPull(await testEnv.game(), testEnv.config, lease);
}
