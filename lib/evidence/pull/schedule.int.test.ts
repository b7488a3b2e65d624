import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOW, OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findPullSchedule } from '../reads/pull-schedule.ts';
import { findPullJob } from '../reads/pulls.ts';
import { claimPull } from '../writes/pull-queue.ts';
import { requestPull } from './request-pull.ts';
import { pullNow, runPull } from './run-pull.ts';
import { estimateHistory, pausePulls, schedulePulls, startHistory } from './schedule-pulls.ts';

const ACTOR = 'finance@studio.test';
let testEnv: TestEnvironment;

beforeEach(async () => {
  testEnv = await openTestEnvironment();
});
afterEach(() => testEnv.close());

describe('the history of a newly connected game', () => {
  test('nothing is pulled before a person says how far back, however often the schedule looks', async () => {
    await schedulePulls(await testEnv.game(), false);
    expect([await queued(), await testEnv.calls()]).toEqual([[], []]);
  });

  test('is estimated with one call by the recipients of the last full month, and nothing is stored', { tags: 'proof' }, async () => {
    const game = await testEnv.game();
    const estimate = await estimateHistory({ game, config: testEnv.config }, 13);
    const { snapshot } = await testEnv.pull(OCTOBER);
    expect(estimate).toEqual({ months: 13, calls: 13, minutes: 1, basedOn: '2026-10', recipientCount: snapshot?.recipientCount });
    expect(await queued()).toEqual([]);
  });

  test('starts once on confirmation with every month, the current one included, and nobody changes it afterwards', async () => {
    const game = await testEnv.game();
    expect(await startHistory(game, { months: 3, actor: ACTOR })).toBe(true);
    expect(await queued()).toEqual(['2026-09', '2026-10', '2026-11']);
    expect(await startHistory(game, { months: 36, actor: ACTOR })).toBe(false);
    await schedulePulls(game, false);
    expect(await queued()).toEqual(['2026-09', '2026-10', '2026-11']);
    expect(await findPullSchedule(testEnv.db, game.gameId)).toMatchObject({ firstMonth: '2026-09', paused: null });
    expect(await audited()).toContainEqual([ACTOR, 'started the history', '2026-09']);
  });

  test('continues from the database after a restart: months that no process pulled are due again', async () => {
    const game = await testEnv.game();
    await startHistory(game, { months: 3, actor: ACTOR });
    await testEnv.pool.query(`delete from pull where window_start < '2026-11-01'`);
    await schedulePulls(await testEnv.game(), false);
    expect(await queued()).toEqual(['2026-09', '2026-10', '2026-11']);
  });
});

describe('while scheduled pulls are paused', () => {
  beforeEach(async () => {
    const game = await testEnv.game();
    await startHistory(game, { months: 2, actor: ACTOR });
    expect(await pausePulls(testEnv.db, { gameId: game.gameId, isPaused: true, actor: ACTOR })).toBe(true);
  });

  test('what the schedule queued waits, and nothing new is queued; after they resume it is pulled', async () => {
    const game = await testEnv.game();
    expect(await claimPull(testEnv.db, 'worker', game)).toBeNull();
    await testEnv.pool.query(`delete from pull where window_start = '2026-10-01'`);
    await schedulePulls(game, false);
    expect(await queued()).toEqual(['2026-11']);
    expect(await pausePulls(testEnv.db, { gameId: game.gameId, isPaused: true, actor: ACTOR })).toBe(false);
    expect(await pausePulls(testEnv.db, { gameId: game.gameId, isPaused: false, actor: ACTOR })).toBe(true);
    await schedulePulls(game, false);
    expect(await queued()).toEqual(['2026-10', '2026-11']);
    expect(await claimPull(testEnv.db, 'worker', game)).not.toBeNull();
    expect((await audited()).map(([, act]) => act)).toEqual(expect.arrayContaining(['paused scheduled pulls', 'resumed scheduled pulls']));
  });

  test('a month a person requests is pulled, also one the schedule had queued', async () => {
    const { gameId } = await testEnv.game();
    const requested = await requestPull(testEnv.db, {
      gameId,
      window: OCTOBER,
      isFresh: false,
      requestedBy: ACTOR,
      now: NOW,
      settleLag_minutes: 15,
    });
    expect(requested).toMatchObject({ ok: true, isNew: false });
    const lease = await claimPull(testEnv.db, 'worker', { gameId });
    expect(lease?.pullId).toBe(requested.ok && requested.pullId);
    expect(await claimPull(testEnv.db, 'other worker', { gameId })).toBeNull();
  });
});

describe('complete months are compared with Invo again', () => {
  test('by the schedule, and a late refund shows up as drift', async () => {
    await testEnv.pull(OCTOBER);
    await testEnv.pool.query(`update pull set requested_at = '2020-01-01'`);
    const { rows } = await testEnv.pool.query<{ period_id: number; attributed_amount_usd: string }>(
      `select period_id, attributed_amount_usd from renewal_line where refunded_at is null and paid_at < '2026-10-15' order by period_id limit 1`,
    );
    await testEnv.control('POST', 'refunds', { period_id: rows[0]?.period_id, refunded_at: '2026-10-20T10:00:00Z' });
    await schedulePulls(await testEnv.game(), false);
    expect(await queued()).toContain('2026-10');
    const lease = await testEnv.claim(OCTOBER);
    await runPull(await testEnv.game(), testEnv.config, lease);
    const { rows: drift } = await testEnv.pool.query(
      'select lines_added, lines_removed, lines_changed, net_change_usd from snapshot_drift',
    );
    expect(drift).toMatchObject([{ lines_added: 1, lines_removed: 0, lines_changed: 0 }]);
    expect(Number(drift[0].net_change_usd)).toBe(-Number(rows[0]?.attributed_amount_usd));
  });

  test('at once for what must not rely on an older comparison, with one call', { tags: 'proof' }, async () => {
    await testEnv.pull(OCTOBER);
    await testEnv.forgetCalls();
    const ended = await pullNow(await testEnv.game(), testEnv.config, {
      window: OCTOBER,
      isFresh: false,
      requestedBy: 'payout run',
      owner: 'web',
    });
    expect(ended).toMatchObject({ ok: true, job: { state: 'done', calls: 1 } });
    expect(await testEnv.calls()).toHaveLength(1);
    const { gameId } = await testEnv.game();
    expect(ended.ok && (await findPullJob(testEnv.db, gameId, ended.job.pullId)).snapshotId).toBe(1);
  });
});

/** The months that wait to be pulled. */
async function queued(): Promise<string[]> {
  const { rows } = await testEnv.pool.query<{ month: string }>(
    `select to_char(window_start at time zone 'UTC', 'YYYY-MM') as month from pull where state = 'queued' order by window_start`,
  );
  return rows.map(({ month }) => month);
}

async function audited(): Promise<string[][]> {
  const { rows } = await testEnv.pool.query<{ actor: string; act: string; subject: string }>(
    'select actor, act, subject from audit order by at',
  );
  return rows.map(({ actor, act, subject }) => [actor, act, subject]);
}
