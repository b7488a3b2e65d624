import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChecks, closeMonth, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import { approveRun } from './decide-run.ts';
import { draftRun, returnToDraft } from './draft-run.ts';
import { findClose } from './find-close.ts';
import { submitRun } from './submit-run.ts';

let testEnv: TestEnvironment;
let fiona: SessionActor;
let ada: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09', '2026-10');
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

test('a month goes from its preview to an approved run, and the next one opens with what it carried', async () => {
  const game = await testEnv.game();
  const preview = await findClose(game, '2026-08');
  if (preview.kind !== 'preview') throw new Error('the month has a run already');
  const drafted = await draftRun(game, fiona, '2026-08');
  if (!drafted.ok) throw new Error(drafted.reason);
  // What is drafted is what the preview showed.
  expect(drafted.run.totals.payable).toBe(preview.preview.run.totals.payable);
  expect(drafted.run.lineCount).toBe(preview.preview.run.lines.length);
  expect(Number(drafted.run.totals.payable)).toBeGreaterThan(0);

  const early = await submitRun(game, fiona, drafted.run.runId, drafted.run.draftDigest ?? '');
  expect(early).toMatchObject({ ok: false, reason: 'not_ready' });
  await answerChecks(testEnv, fiona, drafted.run);
  const submitted = await submitRun(game, fiona, drafted.run.runId, drafted.run.draftDigest ?? '');
  if (!submitted.ok) throw new Error(submitted.reason);
  const own = await approveRun(game, fiona, submitted.run.runId, submitted.run.contentDigest ?? '');
  expect(own).toMatchObject({ ok: false, reason: 'editor', because: expect.arrayContaining(['drafted', 'noted', 'submitted']) });
  const approved = await approveRun(game, ada, submitted.run.runId, submitted.run.contentDigest ?? '');
  expect(approved).toMatchObject({ ok: true, isComplete: true, run: { state: 'approved' } });

  const next = await closeMonth(testEnv, { preparer: ada, approver: fiona }, '2026-09');
  expect(next.totals.opening).toBe(submitted.run.totals.closing);
  expect(next.previousRunId).toBe(submitted.run.runId);
  expect(next.previousContentDigest).toBe(submitted.run.contentDigest);

  const last = await submitMonth(testEnv, fiona, '2026-10');
  const draft = await returnToDraft(game, fiona, last.runId);
  if (!draft.ok) throw new Error(draft.reason);
  expect(draft.run).toMatchObject({ state: 'draft', contentDigest: null, draftDigest: last.draftDigest });
  await expect(submitRun(game, fiona, last.runId, last.draftDigest ?? '')).resolves.toMatchObject({ ok: true });
});
