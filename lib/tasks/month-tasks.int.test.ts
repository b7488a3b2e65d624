import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import { monthWindow } from '#lib/core/month.ts';
import type { Actor, SessionActor } from '#lib/core/roles.ts';
import { approveRun, rejectRun, voidRun } from '#lib/payouts/decide-run.ts';
import { draftRun, returnToDraft } from '#lib/payouts/draft-run.ts';
import { findRun, type Run } from '#lib/payouts/reads/find-run.ts';

import { submitRun } from '#lib/payouts/submit-run.ts';
import { listTasks } from './reads.ts';

let testEnv: TestEnvironment;
let game: TestGame;
let fiona: SessionActor;
let ada: SessionActor;
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09', '2026-10');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

/** The tasks of months and runs that wait for a person, each with its month. */
const tasksOf = async (actor: Actor): Promise<string[]> =>
  (await listTasks(game.db, { ...game, personId: actor.id, now: game.now(), scope: 'all' })).tasks
    .filter(({ kind }) => ['start_run', 'draft', 'returned', 'approve', 'approve_other'].includes(kind))
    .map(({ kind, count, windowStart }) => `${kind} ${windowStart?.slice(0, 7)}${count === 1 ? '' : ` and ${count - 1} more`}`);

const drafted = async (month: string): Promise<Run> => {
  const answer = await draftRun(game, fiona, month);
  return answer.ok ? answer.run : expect.fail(answer.reason);
};

const now = async ({ runId }: Run): Promise<Run> => (await findRun(game.db, game.gameId, { runId })) ?? expect.fail('there is no run');

const submitted = async (run: Run): Promise<Run> => {
  await answerChecks(testEnv, fiona, run);
  const answer = await submitRun(game, fiona, run.runId, (await now(run)).draftDigest ?? '');
  return answer.ok ? answer.run : expect.fail(answer.reason);
};

test('without a run the newest complete month can start one: no older one, none that is open, and no window that is no month', async () => {
  await testEnv.pull(monthWindow('2026-11', 'UTC'));
  await testEnv.pull({ start: '2026-11-01T00:00:00Z', end: '2026-11-11T00:00:00Z' });
  await testEnv.pull({ start: '2026-10-01T00:00:00Z', end: '2026-10-11T00:00:00Z' });
  const { rows } = await testEnv.pool.query(`select status, count(*)::int from current_window group by status order by status`);
  expect(rows, 'ten days of October and November are complete, and November is open').toEqual([
    { status: 'complete', count: 5 },
    { status: 'open', count: 1 },
  ]);
  expect(await tasksOf(fiona)).toEqual(['start_run 2026-10']);
});

test('a month with a run can’t start another until that one is voided', async () => {
  const run = await drafted('2026-10');
  expect(await tasksOf(fiona)).toEqual(['draft 2026-10']);
  expect(await voidRun(game, fiona, run.runId, 'The wrong month')).toMatchObject({ ok: true });
  expect(await tasksOf(fiona)).toEqual(['start_run 2026-10']);
});

test('after a run only the month that follows it can start, once it is approved', { tags: 'proof' }, async () => {
  const run = await drafted('2026-09');
  expect(await tasksOf(ada), 'a draft doesn’t open the month that follows').toEqual(['draft 2026-09']);
  await rejectRun(game, ada, (await submitted(run)).runId, 'Look again');
  expect([await tasksOf(fiona), await tasksOf(ada)], 'it went back to who submitted it').toEqual([['returned 2026-09'], ['draft 2026-09']]);
  await returnToDraft(game, fiona, run.runId);
  const again = await submitted(run);
  expect([await tasksOf(fiona), await tasksOf(ada)]).toEqual([['approve_other 2026-09'], ['approve 2026-09']]);
  await approveRun(game, ada, again.runId, again.contentDigest ?? '');
  expect(await tasksOf(fiona), 'August has no run, and none ends where it begins').toEqual(['start_run 2026-10']);
  const next = await drafted('2026-10');
  expect(await tasksOf(ada)).toEqual(['draft 2026-10']);
  await voidRun(game, fiona, next.runId, 'The wrong minimum');
  expect(await tasksOf(ada)).toEqual(['start_run 2026-10']);
  const last = await submitted(await drafted('2026-10'));
  await approveRun(game, ada, last.runId, last.contentDigest ?? '');
  expect(await tasksOf(fiona), 'November is open').toEqual([]);
});
