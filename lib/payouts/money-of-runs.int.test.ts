import { afterEach, expect, test } from 'vitest';
import { answerChecks, closeMonth, pullAndRecheck, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { Month } from '../core/month.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideProposal, proposeAdjustment, type TypedAdjustment } from './adjust-balance.ts';
import { draftRun } from './draft-run.ts';
import { findClose } from './find-close.ts';
import { listAdjustments } from './reads/payout-decisions.ts';
import { submitRun } from './submit-run.ts';
import { verifyRuns } from './verify-runs.ts';

/** Without receipts: 12.00 of 24.00 refunded on the first of the month reverse half of the 2.70 of recipient 9013. */
const coarsePeriod = (month: string): number => Number(`${month.replace('-', '')}0007`);
/** 20.00 with 2.70 for recipient 9004, not refunded. */
const plainPeriod = (month: string): number => Number(`${month.replace('-', '')}0014`);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;

/** Each test starts with these months pulled and re-checked. */
async function open(...months: Month[]): Promise<void> {
  testEnv = await openPulledEnvironment(...months);
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
}
afterEach(() => testEnv.close());

const close = (month: string) => closeMonth(testEnv, { preparer: fiona, approver: ada }, month);
const adjustment = (given: Partial<TypedAdjustment>): TypedAdjustment => ({
  recipientId: 9004,
  amount: '1.00',
  kind: 'correction',
  reason: 'Agreed by email',
  runNo: null,
  periodId: null,
  toRecipientId: null,
  ...given,
});
async function adjust(given: Partial<TypedAdjustment>): Promise<number> {
  const proposed = await proposeAdjustment(game, fiona, adjustment(given));
  if (!proposed.ok) throw new Error(JSON.stringify(proposed));
  expect(await decideProposal(game, ada, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' })).toMatchObject({ ok: true });
  return proposed.adjustmentId;
}
async function itemsOf(month: string) {
  const found = await findClose(game, month);
  if (found.kind === 'none') throw new Error(`${month} has no close`);
  return new Map(found.close.items.map((item) => [item.key, item]));
}
async function reversalOf(month: string, periodId: number) {
  const { rows } = await testEnv.pool.query(
    `select r.reported_usd as reported, r.taken_before_usd as before, r.taken_usd as taken, r.pinned_usd as pinned from payout_reversal r join payout_run run using (game_id, run_id)
     where period_id = $1 and window_start = $2 and state <> 'void'`,
    [periodId, `${month}-01T00:00:00Z`],
  );
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, amount]) => [name, Number(amount)]));
}
async function draft(month: string) {
  const drafted = await draftRun(game, fiona, month);
  if (!drafted.ok) throw new Error(drafted.reason);
  return drafted.run;
}
async function listViolations() {
  const findings = new Findings();
  await verifyRuns(testEnv.db, game.gameId, findings);
  return findings.violations;
}
/** Leaves a confirmed adjustment for the first run behind, as it could be before it was refused. */
async function strand(): Promise<number> {
  const proposed = await proposeAdjustment(game, fiona, adjustment({ kind: 'correction', amount: '123.45' }));
  if (!proposed.ok) throw new Error(proposed.reason);
  await testEnv.pool.query(`alter table payout_adjustment disable trigger user`);
  await testEnv.pool.query(
    `update payout_adjustment set kind = 'brought_forward', confirmed_by = $2, confirmed_at = now() where adjustment_id = $1`,
    [proposed.adjustmentId, ada.id],
  );
  await testEnv.pool.query(`alter table payout_adjustment enable trigger user`);
  return proposed.adjustmentId;
}

test('what is owed from before Sharebook is taken until the first run is in review, and refused from then on', async () => {
  await open('2026-08');
  const early = adjustment({ kind: 'brought_forward', amount: '5.00' });
  const [first, late] = [await proposeAdjustment(game, fiona, early), await proposeAdjustment(game, fiona, early)];
  if (!first.ok || !late.ok) throw new Error('not proposed');
  await decideProposal(game, ada, { adjustmentId: first.adjustmentId, decision: 'confirmed' });
  expect((await close('2026-08')).totals.adjusted).toBe('5.00');
  expect(await proposeAdjustment(game, fiona, early)).toEqual({ ok: false, reason: 'invalid', field: 'kind', problem: 'too_late' });
  expect(await decideProposal(game, ada, { adjustmentId: late.adjustmentId, decision: 'confirmed' })).toEqual({
    ok: false,
    reason: 'too_late',
  });
  expect(await decideProposal(game, fiona, { adjustmentId: late.adjustmentId, decision: 'withdrawn' })).toMatchObject({ ok: true });
});

test('a confirmed adjustment that no run will include is an item of the close and of the adjustments until it is withdrawn', {
  tags: ['proof'],
}, async () => {
  await open('2026-08', '2026-09');
  await close('2026-08');
  const adjustmentId = await strand();
  await draft('2026-09');
  expect((await itemsOf('2026-09')).get('adjustments_stranded')).toMatchObject({ group: 'note', count: 1, amount_usd: '123.45' });
  expect(await listAdjustments(game.db, game.gameId, ada.id, true)).toMatchObject([{ adjustmentId, isStranded: true, runNo: null }]);
  expect(await decideProposal(game, fiona, { adjustmentId, decision: 'withdrawn' })).toMatchObject({ ok: true });
  expect((await itemsOf('2026-09')).has('adjustments_stranded')).toBe(false);
});

test('a reversal without receipts that moved to the month being closed is deducted there and not listed again as a changed month', {
  tags: ['proof'],
}, async () => {
  const period = coarsePeriod('2026-09');
  await open('2026-09');
  await close('2026-09');
  expect(await reversalOf('2026-09', period)).toEqual({ reported: 1.35, before: 0, taken: 1.35, pinned: 0 });
  // 20.00 of 24.00: 2.25 of 2.70, whole in October.
  await testEnv.control('POST', 'refunds', {
    period_id: period,
    amount_usd: '8.00',
    refunded_at: '2026-10-12T12:00:00Z',
    basis: 'period_row',
  });
  for (const month of ['2026-09', '2026-10']) await pullAndRecheck(testEnv, month);
  await draft('2026-10');
  expect(await reversalOf('2026-10', period)).toEqual({ reported: 2.25, before: 1.35, taken: 0.9, pinned: 1.35 });
  const items = await itemsOf('2026-10');
  expect([items.has('drift'), items.has('drift_coarse')]).toEqual([false, false]);
});

test('a refund without receipts found after its month was paid is named without an amount, with what was reported and deducted', {
  tags: 'proof',
}, async () => {
  const period = plainPeriod('2026-08');
  await open('2026-08', '2026-09');
  await close('2026-08');
  await testEnv.control('POST', 'refunds', {
    period_id: period,
    amount_usd: '10.00',
    refunded_at: '2026-08-20T12:00:00Z',
    basis: 'period_row',
  });
  await pullAndRecheck(testEnv, '2026-08');
  await draft('2026-09');
  const items = await itemsOf('2026-09');
  expect(items.has('drift')).toBe(false);
  expect(items.get('drift_coarse')).toMatchObject({
    amount_usd: null,
    rows: [
      { recipientId: 9004, periodId: period, runNo: 1, figures: { reported_then: '0.00', reported_now: '1.35', deducted_so_far: '0.00' } },
    ],
  });
});

test('a changed month names recipient and period, is listed once, and what was adjusted counts as deducted when the reversal moves', {
  tags: ['proof'],
}, async () => {
  const period = plainPeriod('2026-08');
  await open('2026-08', '2026-09');
  await close('2026-08');
  // Half of 20.00: 1.35 of 2.70, found after the run.
  await testEnv.control('POST', 'refunds', { period_id: period, amount_usd: '10.00', refunded_at: '2026-08-20T12:00:00Z' });
  await pullAndRecheck(testEnv, '2026-08');
  const row = { recipientId: 9004, periodId: period, runNo: 1, figures: { net_change: '-1.35' } };
  expect((await itemsOf('2026-09')).get('drift')).toMatchObject({ count: 1, amount_usd: '-1.35', rows: [row] });
  const drift = { kind: 'drift', amount: '-1.35' };
  expect(await proposeAdjustment(game, fiona, adjustment({ ...drift, periodId: period }))).toMatchObject({
    field: 'runNo',
    problem: 'missing',
  });
  expect(await proposeAdjustment(game, fiona, adjustment({ ...drift, runNo: 1 }))).toMatchObject({ field: 'periodId', problem: 'missing' });
  expect(await proposeAdjustment(game, fiona, adjustment({ ...drift, runNo: 1, periodId: coarsePeriod('2026-08') }))).toMatchObject({
    field: 'periodId',
    problem: 'unknown',
  });
  await adjust({ ...drift, runNo: 1, periodId: period });
  expect((await itemsOf('2026-09')).has('drift')).toBe(false);
  await close('2026-09');

  await pullAndRecheck(testEnv, '2026-10');
  expect((await itemsOf('2026-10')).has('drift')).toBe(false);
  // The rest of 20.00 without a receipt: all 2.70 are reported in October, and 1.35 are deducted already.
  await testEnv.control('POST', 'refunds', { period_id: period, refunded_at: '2026-10-12T12:00:00Z', basis: 'period_row' });
  for (const month of ['2026-08', '2026-10']) await pullAndRecheck(testEnv, month);
  await close('2026-10');
  expect(await reversalOf('2026-10', period)).toEqual({ reported: 2.7, before: 1.35, taken: 1.35, pinned: 1.35 });
  const items = await itemsOf('2026-10');
  expect([items.has('drift'), items.has('drift_coarse')]).toEqual([false, false]);
  expect(await listViolations()).toEqual([]);
});

test('an adjustment of a changed month that names no period is subtracted from what its run’s recipient still owes', {
  tags: 'proof',
}, async () => {
  const period = plainPeriod('2026-08');
  await open('2026-08', '2026-09');
  await close('2026-08');
  await testEnv.control('POST', 'refunds', { period_id: period, amount_usd: '10.00', refunded_at: '2026-08-20T12:00:00Z' });
  await pullAndRecheck(testEnv, '2026-08');
  const id = await adjust({ amount: '-1.00', runNo: 1 });
  // As it could be stored before the period was required.
  await testEnv.pool.query(`alter table payout_adjustment disable trigger user`);
  await testEnv.pool.query(`update payout_adjustment set kind = 'drift' where adjustment_id = $1`, [id]);
  expect((await itemsOf('2026-09')).get('drift')).toMatchObject({ amount_usd: '-0.35', rows: [{ periodId: period }] });
});

test('an adjustment confirmed after the reversal it was for moved and was deducted is named as too much', { tags: ['proof'] }, async () => {
  const period = plainPeriod('2026-08');
  await open('2026-08', '2026-09');
  await close('2026-08');
  await testEnv.control('POST', 'refunds', { period_id: period, amount_usd: '10.00', refunded_at: '2026-08-20T12:00:00Z' });
  await pullAndRecheck(testEnv, '2026-08');
  const proposed = await proposeAdjustment(game, fiona, adjustment({ kind: 'drift', amount: '-1.35', runNo: 1, periodId: period }));
  if (!proposed.ok) throw new Error(proposed.reason);
  await testEnv.control('POST', 'refunds', { period_id: period, refunded_at: '2026-09-12T12:00:00Z', basis: 'period_row' });
  for (const month of ['2026-08', '2026-09']) await pullAndRecheck(testEnv, month);
  await close('2026-09');
  expect(await reversalOf('2026-09', period)).toEqual({ reported: 2.7, before: 0, taken: 2.7, pinned: 0 });
  await decideProposal(game, ada, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' });
  await pullAndRecheck(testEnv, '2026-10');
  expect((await itemsOf('2026-10')).get('drift')).toMatchObject({ amount_usd: '1.35', rows: [{ recipientId: 9004, periodId: period }] });
});

test('what a month before the first run once stated counts as deducted, whether that month was compared again or not', {
  tags: ['proof'],
}, async () => {
  const period = coarsePeriod('2026-09');
  await open('2026-09');
  await testEnv.control('POST', 'refunds', {
    period_id: period,
    amount_usd: '8.00',
    refunded_at: '2026-10-12T12:00:00Z',
    basis: 'period_row',
  });
  await pullAndRecheck(testEnv, '2026-10');
  const expected = { reported: 2.25, before: 1.35, taken: 0.9, pinned: 1.35 };
  const run = await draft('2026-10');
  expect(await reversalOf('2026-10', period)).toEqual(expected);
  // September no longer reports it.
  await pullAndRecheck(testEnv, '2026-09');
  await answerChecks(testEnv, fiona, run);
  expect(await submitRun(game, fiona, run.runId, run.draftDigest ?? '')).toMatchObject({ ok: true });
  expect(await reversalOf('2026-10', period)).toEqual(expected);
});
