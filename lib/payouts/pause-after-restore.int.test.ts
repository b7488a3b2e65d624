import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#db/kit/open.ts';
import { answerChecks, closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll } from '#e2e/support/payouts/hand-over-all.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { findGameSettings } from '#lib/games/reads/game-settings.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { handOver } from '#lib/payments/hand-over.ts';
import { makeFiles } from '#lib/payments/make-files.ts';
import { findBatch } from '#lib/payments/reads/batches.ts';
import { listTasks } from '#lib/tasks/reads.ts';
import { countBadges } from '#lib/tasks/rules/task.ts';
import { type ResumeResult, resume as resumePaused } from '../approvals/pause.ts';
import type { Actor, SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { openRestoreGuard, type RestoreGuard, reportRestore } from '../refunds/check-restore.ts';
import { approveRun, canApproveRun, rejectRun } from './decide-run.ts';
import { draftRun, recomposeRun } from './draft-run.ts';
import { findRun, listRuns, type Run } from './reads/find-run.ts';
import { findPayoutPause, listLostFiles } from './reads/payout-pause.ts';
import { UNKNOWN_FILES } from './rules/missing-run.ts';
import { submitRun } from './submit-run.ts';
import { insertApproval, insertDraft, setSubmitted } from './writes/run-states.ts';

function resumePayouts(game: OpenGame, actor: Actor, version: string): Promise<ResumeResult> {
  return resumePaused(game, actor, { what: 'payouts', version });
}

let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let folder: string;
let guard: RestoreGuard;
/** Approved after the backup. */
let lost: Run;
let first: Run;
/** What bank and provider know the file by that was handed over after the backup. */
let lostFile: string;

// The tests of this file continue from one another, in this order.
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-runs-'));
  testEnv = await openPulledEnvironment('2026-08', '2026-09');
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  game = await testEnv.game();
  guard = openRestoreGuard({ ...testEnv, folder, owner: 'worker 1' });
  first = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  await guard.advance();
  const backup = await testEnv.db.selectFrom('database_mark').select(['lineage', 'step']).executeTakeFirstOrThrow();
  lost = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-09');
  ({ batchId: lostFile } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, first));
  await guard.advance();
  await restore(lost.runId, backup);
});
afterAll(async () => {
  await testEnv.close();
  fs.rmSync(folder, { recursive: true });
});

/** Puts the database back to before a run was drafted, as a backup has it. */
async function restore(runId: number, { lineage, step }: { lineage: string; step: number }): Promise<void> {
  const client = await testEnv.pool.connect();
  await client.query('begin');
  await client.query(`set local session_replication_role = 'replica'`);
  const { rows } = await client.query<{ table: string }>(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'run_id'`,
  );
  for (const { table } of rows) await client.query(`delete from ${table} where run_id = $1`, [runId]);
  await client.query('delete from payout_batch');
  await client.query(`update payout_item set batch_no = null, amount_file = null, state = 'waiting'`);
  await client.query('update database_mark set lineage = $1, step = $2', [lineage, step]);
  await client.query('commit');
  client.release();
}

const pause = () => findPayoutPause(testEnv.db, game.gameId);
/** What the frame of each page and Settings show. */
const shownAsPaused = async (): Promise<unknown[]> => [
  countBadges(await listTasks(game.db, { ...game, personId: fiona.id, now: game.now(), scope: 'badges' })).arePayoutsPaused,
  (await findGameSettings(game.db, [game.gameId])).get(game.gameId)?.arePayoutsPaused,
];
const version = async (): Promise<string> => (await pause())?.version ?? '';
async function resume(): Promise<void> {
  expect(await resumePayouts(game, fiona, await version())).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumePayouts(game, ada, await version())).toEqual({ ok: true, is: 'resumed' });
}

test('after a restore the folder knows which approved run is missing, and payouts are paused', async () => {
  expect((await listRuns(testEnv.db, game.gameId)).map(({ runNo }) => runNo)).toEqual([1]);
  expect(await guard.check()).toBe(true);
  expect((await pause())?.missing).toEqual([
    {
      v: 1,
      runNo: 2,
      window: { start: '2026-09-01T00:00:00Z', end: '2026-10-01T00:00:00Z' },
      contentDigest: lost.contentDigest,
      payable_usd: lost.totals.payable,
      approvedAt: lost.approvedAt,
    },
  ]);
  expect(await guard.check(), 'a restore is recorded once').toBe(false);
});

test('the folder knows the payment file that is missing, and its payments are in no new file without a person who says that they weren’t paid', async () => {
  expect((await pause())?.missingFiles).toMatchObject([
    {
      runNo: 1,
      messageId: lostFile,
      fileName: 'demo-2026-08-run1-paypal.csv',
      payments: first.payableCount,
      total_usd: first.totals.payable,
    },
  ]);
  const shown = { count: first.payableCount, total_usd: first.totals.payable };
  const request = { runId: first.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown };
  expect(await makeFiles(game, fiona, PAYEE_KEY, request)).toEqual({ ok: false, reason: 'paused' });
  expect(await handOver(game, fiona, { batchNo: 1, providerReference: '' })).toEqual({ ok: false, reason: 'moved_on' });
});

test('while payouts are paused, the run that is missing can’t be drafted again', async () => {
  expect(await draftRun(game, fiona, '2026-09')).toEqual({ ok: false, reason: 'paused' });
  expect(await listRuns(testEnv.db, game.gameId)).toHaveLength(1);
});

test('a request to resume from a page that shows no request, or another restore, resumes nothing', async () => {
  const stale = await version();
  expect(await resumePayouts(game, ada, stale)).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumePayouts(game, fiona, stale)).toEqual({ ok: false, reason: 'not_as_shown' });
  await testEnv.pool.query(`update payout_pause set resume_requested_by = null where resumed_at is null`);
  expect(await resumePayouts(game, fiona, stale.replace(/^(\d+) \d+/, '$1 0'))).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await pause()).toMatchObject({ resumeRequestedBy: null });
});

test('two people resume payouts, each who may approve, and the audit has both', async () => {
  expect(await resumePayouts(game, { ...fiona, roles: ['support'] }, await version())).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await resumePayouts(game, fiona, `${await version()} other`)).toEqual({ ok: false, reason: 'not_as_shown' });
  expect(await resumePayouts(game, fiona, await version())).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumePayouts(game, fiona, await version())).toEqual({ ok: false, reason: 'same_person' });
  expect(await pause()).toMatchObject({ resumeRequestedBy: { id: fiona.id } });
  expect(await shownAsPaused()).toEqual([true, true]);
  expect(await resumePayouts(game, ada, await version())).toEqual({ ok: true, is: 'resumed' });
  expect(await pause()).toBeNull();
  expect(await shownAsPaused()).toEqual([false, false]);
  const { rows } = await testEnv.pool.query(
    `select actor, act from audit where subject = 'payouts' and act !~ '^refused' order by audit_id`,
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { actor: 'worker', act: 'paused payouts' },
      { actor: fiona.email, act: 'asked to resume payouts' },
      { actor: ada.email, act: 'resumed payouts' },
    ]),
  );
});

test('without a data folder, any file of a month that was over by then may be lost, and a person confirms the same', async () => {
  const shown = { count: first.payableCount, total_usd: first.totals.payable };
  const request = { runId: first.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown };
  const lostOf = (run: Run, lostFiles: string[]) =>
    withTampering(
      testEnv.pool,
      async (client) => void (await client.query('update payout_pause set missing = null, missing_files = null')),
      async (db) => [
        await listLostFiles(db, game.gameId, run),
        await makeFiles({ ...game, db }, fiona, PAYEE_KEY, { ...request, lostFiles }),
      ],
    );
  const unknown = { files: [], isUnknown: true };
  expect(await lostOf(first, [])).toEqual([unknown, { ok: false, reason: 'lost_files', lost: unknown }]);
  const later = { ...first, runNo: 9, window: { start: '2099-08-01T00:00:00Z', end: '2099-09-01T00:00:00Z' } };
  expect(await lostOf(later, [UNKNOWN_FILES])).toMatchObject([{ isUnknown: false }, { ok: true }]);
});

test('once payouts resume, a file of the payments that a lost file had needs a person who says that it paid none of them', async () => {
  const shown = { count: first.payableCount, total_usd: first.totals.payable };
  const request = { runId: first.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown };
  expect(await makeFiles(game, fiona, PAYEE_KEY, request)).toMatchObject({
    ok: false,
    reason: 'lost_files',
    lost: { files: [{ messageId: lostFile }], isUnknown: false },
  });
  expect(await makeFiles(game, fiona, PAYEE_KEY, { ...request, lostFiles: ['SB-1'] })).toMatchObject({ reason: 'lost_files' });
  const made = await makeFiles(game, fiona, PAYEE_KEY, { ...request, lostFiles: [lostFile] });
  if (!made.ok) throw new Error(JSON.stringify(made));
  const again = await findBatch(game.db, game.gameId, made.files[0]?.batchNo ?? 0);
  expect(again?.messageId, 'a bank never sees one ID twice').not.toBe(lostFile);
});

test('a draft from before a pause can’t be submitted, and a submitted run can be sent back but not approved', async () => {
  const drafted = await draftRun(game, fiona, '2026-09');
  if (!drafted.ok) throw new Error(drafted.reason);
  expect(drafted.run.totals.payable, 'the same month pays the same').toBe(lost.totals.payable);
  await answerChecks(testEnv, fiona, drafted.run);
  await reportRestore({ ...testEnv, folder, owner: 'command line' });
  expect((await pause())?.missing, 'what two people resumed after is not listed again').toEqual([]);
  const submit = () => submitRun(game, fiona, drafted.run.runId, drafted.run.draftDigest ?? '');
  expect(await submit()).toEqual({ ok: false, reason: 'paused' });
  expect(await recomposeRun(game, fiona, drafted.run.runId)).toMatchObject({ ok: true });
  await resume();
  const submitted = await submit();
  if (!submitted.ok) throw new Error(submitted.reason);
  await reportRestore({ ...testEnv, folder: null, owner: 'command line' });
  expect((await pause())?.missing, 'without a folder nothing knows').toBeNull();
  const { runId, contentDigest } = submitted.run;
  expect(await canApproveRun(game, ada, runId, contentDigest ?? '')).toBe(false);
  expect(await approveRun(game, ada, runId, contentDigest ?? '')).toEqual({ ok: false, reason: 'paused' });
  expect(await rejectRun(game, fiona, runId, 'mine'), 'who worked on it still can’t').toMatchObject({ ok: false, reason: 'editor' });
  expect(await rejectRun(game, ada, runId, 'Compare it with the bank first.')).toMatchObject({ ok: true });
});

test('the statements that draft, submit and approve refuse by themselves', async () => {
  const run = await findRun(testEnv.db, game.gameId, { runId: (await listRuns(testEnv.db, game.gameId))[0]?.runId ?? 0 });
  if (run === null) throw new Error('no run');
  await inTransaction(testEnv.db, async (tx) => {
    const draft = { gameId: game.gameId, window: run.window, snapshotId: run.snapshotId, previousRunId: run.runId, actor: fiona };
    expect(await insertDraft(tx, draft)).toBeNull();
    expect(await insertApproval(tx, { ...run, contentDigest: 'ab'.repeat(32) }, ada)).toBe(false);
    const content = { adjustments: [] } as unknown as Parameters<typeof setSubmitted>[3]['content'];
    await expect(setSubmitted(tx, run, fiona, { content, digest: 'ab'.repeat(32), approvalsWanted: 1 })).rejects.toThrow('paused');
  });
  await resume();
});

test('a pause waits for a run that is being approved, and begins before the next one', async () => {
  const waits = `select count(*)::int as waits from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const { reported } = await inTransaction(testEnv.db, async (tx) => {
    await lockRunsOf(tx, game.gameId);
    const reported = reportRestore({ ...testEnv, folder: null, owner: 'command line' });
    await expect.poll(async () => (await testEnv.pool.query(waits)).rows[0].waits).toBe(1);
    expect(await pause()).toBeNull();
    return { reported };
  });
  await reported;
  expect(await pause()).toMatchObject({ missing: null });
  await resume();
});

test('a folder that knows another database alone says nothing about this one', async () => {
  const other = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-runs-'));
  fs.mkdirSync(path.join(other, 'approved-runs'));
  fs.writeFileSync(path.join(other, 'approved-runs', `00000000-0000-4000-8000-000000000000.${'ab'.repeat(32)}`), '{}');
  await reportRestore({ ...testEnv, folder: other, owner: 'command line' });
  expect((await pause())?.missing).toBeNull();
  fs.rmSync(other, { recursive: true });
});

test('a pause is never removed, and one that ended is never changed', async () => {
  await expect(testEnv.pool.query('delete from payout_pause')).rejects.toThrow(/keeps what it says/);
  await expect(
    testEnv.pool.query('update payout_pause set resumed_by = null, resumed_at = null where resumed_at is not null'),
  ).rejects.toThrow(/keeps what it says/);
});
