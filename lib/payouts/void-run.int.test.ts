import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmVoidAsShown, seedFinance, submitMonth } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { decideElsewhere, proposeElsewhere } from '../payments/pay-elsewhere.ts';
import { approveRun, confirmVoid, requestVoid } from './decide-run.ts';
import { findRun } from './reads/find-run.ts';

const MONTH = '2026-08';
let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openPulledEnvironment(MONTH);
});
afterAll(() => testEnv.close());

test('payments proposed as paid elsewhere stop a void; a page that shows an earlier request to void can neither void the run for another reason nor discard the new request', async () => {
  const game = await testEnv.game();
  const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const run = await submitMonth(testEnv, fiona, MONTH);
  expect(await approveRun(game, ada, run.runId, run.contentDigest ?? '')).toMatchObject({ ok: true });
  const elsewhere = { runId: run.runId, itemNos: [1], paidOn: '2026-09-05', note: 'By hand' };
  const proposed = await proposeElsewhere(game, fiona, elsewhere);
  if (!proposed.ok) throw new Error(proposed.reason);
  const voiding = { runId: run.runId, why: 'Wrong month', isNotUploaded: true };
  expect(await requestVoid(game, fiona, voiding)).toEqual({ ok: false, reason: 'elsewhere_waits' });
  await decideElsewhere(game, ada, { batchNo: proposed.batchNo, decision: 'withdrawn' });
  await requestVoid(game, fiona, voiding);
  const shown = { runId: run.runId, version: (await findRun(game.db, game.gameId, { runId: run.runId }))?.version ?? 0 };
  expect(await confirmVoid(game, fiona, shown, { isAgreed: false })).toMatchObject({ ok: true });
  await requestVoid(game, fiona, { runId: run.runId, why: 'Pay the month twice', isNotUploaded: true });
  expect(await confirmVoid(game, ada, shown, { isAgreed: true, isNotUploaded: true })).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await confirmVoid(game, fiona, shown, { isAgreed: false })).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await findRun(game.db, game.gameId, { runId: run.runId })).toMatchObject({ state: 'approved', voidReason: 'Pay the month twice' });
  expect(await confirmVoidAsShown(game, ada, run.runId)).toMatchObject({ ok: true, run: { state: 'void' } });
});
