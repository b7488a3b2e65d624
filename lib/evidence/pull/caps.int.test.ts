// @module-tag proof
import { afterAll, expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { OCTOBER, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { toMicroseconds } from '#lib/core/instant.ts';
import { verifyGame } from '../verify/verify-game.ts';

const grounds: TestEnvironment[] = [];
async function open(world: string): Promise<TestEnvironment> {
  const testEnv = await openTestEnvironment({ world });
  grounds.push(testEnv);
  return testEnv;
}
afterAll(() => Promise.all(grounds.map((testEnv) => testEnv.close())));

test('a window above the cap is split by its count into equal slices, each with its own control totals', { tags: ['proof'] }, async () => {
  const testEnv = await open('distribution:first-pull');
  const [start, lines, controls] = proofSize(['2026-09-04T00:00:00Z', 20_000, 2], ['2026-08-01T00:00:00Z', 40_000, 3]);
  const quarter = { start, end: '2026-10-10T00:00:00Z' };
  const { snapshot, job } = await testEnv.pull(quarter);
  expect(snapshot?.status).toBe('complete');
  expect(snapshot?.renewalLineCount).toBe(snapshot?.totals.renewals_settled);
  expect(snapshot?.renewalLineCount).toBeGreaterThan(lines);
  const slices = await testEnv.db
    .selectFrom('slice')
    .select(['window_start', 'window_end', 'renewals_settled'])
    .orderBy('window_start')
    .execute();
  expect(slices.every((slice) => slice.renewals_settled <= 20_000)).toBe(true);
  expect(slices.every((slice) => toMicroseconds(slice.window_start) % 1000n === 0n)).toBe(true);
  const { control_window_count } = await testEnv.db.selectFrom('snapshot').select('control_window_count').executeTakeFirstOrThrow();
  expect(control_window_count).toBeGreaterThanOrEqual(controls);
  expect(snapshot?.totals.renewals_settled_then_fully_reversed).toBeNull();
  expect(job.calls).toBe((await testEnv.calls()).length);
  await testEnv.forgetCalls();
  const again = await testEnv.pull(quarter);
  expect([again.job.snapshotId, again.job.calls]).toEqual([job.snapshotId, control_window_count]);
  recordFigure(
    'windows above the cap',
    `${snapshot?.renewalLineCount} lines in ${slices.length} slices, ${control_window_count} control answers, ${job.calls} calls`,
  );
});

test('an instant with more lines than Invo reports ends the pull with a message that names it', async () => {
  const testEnv = await open('instant:20001');
  const { job } = await testEnv.pull(OCTOBER);
  expect(job.failure).toMatchObject({
    code: 'instant_too_large',
    sentence: expect.stringMatching(/^More than 20,000 renewals or refunds share the instant 2026-10-17T09:30:00\.123Z/),
  });
  expect((await testEnv.calls()).length).toBeLessThan(60);
  const { slices, violations } = await verifyGame(testEnv.db, (await testEnv.game()).gameId);
  expect([slices > 0, violations]).toEqual([true, []]);
});

test('an instant exactly at the cap is pulled completely', { tags: ['proof'] }, async () => {
  const testEnv = await open('instant:20000');
  const { snapshot } = await testEnv.pull(OCTOBER);
  expect([snapshot?.status, snapshot?.renewalLineCount, snapshot?.recipientCount]).toEqual(['complete', 20_000, 200]);
});

test('a crowded neighbourhood is read in smaller windows without splitting the slice', { tags: ['proof'] }, async () => {
  const testEnv = await open('demo');
  // What is not stored of the two terms before the instant that holds 506 lines of one recipient, where others of their subscriptions are looked for.
  const refused = { start: '2026-08-16T09:30:00.123Z', end: OCTOBER.start };
  const facts = { settled_renewals: 31_000, max_renewals: 20_000 };
  await testEnv.control('POST', 'faults', [{ kind: '400', code: 'WINDOW_TOO_LARGE', facts, times: 9, match: { query: refused } }]);
  const { snapshot, job } = await testEnv.pull(OCTOBER);
  expect([snapshot?.status, snapshot?.sliceCount]).toEqual(['complete', 1]);
  expect(job.calls).toBe((await testEnv.calls()).length);
  expect((await testEnv.calls()).filter((call) => call.status === 400)).toHaveLength(1);
});
