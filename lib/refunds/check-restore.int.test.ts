import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { openRefundEnvironment, PERIOD_ID, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import { pause as pauseByPerson } from '../approvals/pause.ts';
import { openRestoreGuard, type RestoreGuard, reportRestore } from './check-restore.ts';
import { findRefundPause } from './reads/refund-preconditions.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;
beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  // Games of earlier tests must not be paused in this one's figures.
  for (const table of ['refund_pause', 'action_pause'])
    await sql`update ${sql.table(table)} set resume_requested_by = ${testEnv.people.finance.id}, resumed_by = ${testEnv.people.admin.id}, resumed_at = clock_now()
      where resumed_at is null`.execute(testEnv.db);
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-marks-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}
const guardOf = (folder: string): RestoreGuard => openRestoreGuard({ ...testEnv, folder, owner: 'worker 1' });
const pause = () => findRefundPause(testEnv.db, game.gameId);

interface Mark {
  lineage: string;
  step: number;
}
const mark = async (): Promise<Mark> => await testEnv.db.selectFrom('database_mark').select(['lineage', 'step']).executeTakeFirstOrThrow();
/** Puts back the mark that a backup holds. */
const restore = async ({ lineage, step }: Mark): Promise<void> =>
  void (await testEnv.db.updateTable('database_mark').set({ lineage, step }).execute());

test('a database that its folder knows, and one that no folder knows, pause nothing', async () => {
  const guard = guardOf(newFolder());
  expect(await guard.check()).toBe(false);
  await guard.advance();
  await guard.advance();
  expect(await guard.check()).toBe(false);
  expect(await guardOf(newFolder()).check()).toBe(false);
  expect(await pause()).toBeNull();
});

test('a copy from before the last call pauses every game, once, and the next check is content', async () => {
  const folder = newFolder();
  const guard = guardOf(folder);
  await guard.advance();
  const backup = await mark();
  await guard.advance();
  await restore(backup);
  expect(await guard.check()).toBe(true);
  expect(await pause()).toMatchObject({ why: 'The database was restored from a backup.', pausedByName: null, openAtRestore: [] });
  const actionPauses = await testEnv.db
    .selectFrom('action_pause')
    .select(['paused_by', 'restore_no'])
    .where('resumed_at', 'is', null)
    .execute();
  expect(actionPauses.every((each) => each.paused_by === null && each.restore_no !== null)).toBe(true);
  expect(actionPauses.length).toBeGreaterThan(0);
  expect(await guard.check()).toBe(false);
  await guard.advance();
  expect((await mark()).lineage).not.toBe(backup.lineage);
  // The same backup restored a second time is found again: the folder still knows its lineage.
  await restore(backup);
  expect(await guardOf(folder).check()).toBe(true);
});

test('nothing is sent through a copy that is found between two checks', async () => {
  const guard = guardOf(newFolder());
  const backup = await mark();
  await guard.advance();
  await guard.advance();
  await restore(backup);
  await expect(guard.advance()).rejects.toThrow('restored from a backup');
  expect(await pause()).not.toBeNull();
});

test('a copy one step behind is found by the next call, which moves nothing', async () => {
  const guard = guardOf(newFolder());
  await guard.advance();
  const backup = await mark();
  await guard.advance();
  await restore(backup);
  await expect(guard.advance()).rejects.toThrow('restored from a backup');
  expect(await pause()).not.toBeNull();
  const { rows } = await sql`select lineage, step, step_seen from database_restore order by restore_no desc limit 1`.execute(testEnv.db);
  expect(rows).toEqual([{ ...backup, step_seen: backup.step + 1 }]);
});

test('a restore that can’t be recorded is found again by the next call', async () => {
  const folder = newFolder();
  const guard = guardOf(folder);
  await guard.advance();
  const backup = await mark();
  await guard.advance();
  await restore(backup);
  const failing = dbOver(testEnv.pool, (text) => {
    if (text.startsWith('insert into database_restore')) throw new Error('the disk is full');
  });
  await expect(openRestoreGuard({ db: failing, folder, owner: 'worker 2' }).advance()).rejects.toThrow('the disk is full');
  expect([await mark(), await pause()]).toEqual([backup, null]);
  await expect(guard.advance()).rejects.toThrow('restored from a backup');
  expect(await pause()).not.toBeNull();
});

test('a process whose answers arrive late takes nothing for a restore while another one moves the mark on', async () => {
  const folder = newFolder();
  const other = guardOf(folder);
  await other.advance();
  const { lineage } = await mark();
  // After each statement of the late process, before it sees the answer, the other one moves on twice.
  const late = testEnv.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await other.advance();
      await other.advance();
      return result;
    },
  });
  const guard = openRestoreGuard({ ...testEnv, db: late, folder, owner: 'late worker' });
  expect(await guard.check()).toBe(false);
  await guard.advance();
  expect(await pause()).toBeNull();
  expect((await mark()).lineage).toBe(lineage);
});

test('two processes that share a folder never lose the newest mark', async () => {
  const folder = newFolder();
  const [one, other] = [guardOf(folder), guardOf(folder)];
  for (let round = 0; round < 5; round++) await Promise.all([one.advance(), other.advance()]);
  const { lineage, step } = await mark();
  expect(fs.readdirSync(path.join(folder, 'marks'))).toContain(`${lineage}.${step}`);
});

test('a person can report the restore, which also makes an older pause need two people again', async () => {
  const { finance, support } = testEnv.people;
  await pauseByPerson(game, support, { what: 'refunds', why: 'strange receipts' });
  await resumeAsShown(game, finance);
  await reportRestore({ ...testEnv, folder: null, owner: 'command line' });
  expect(await pause()).toMatchObject({ pausedByName: expect.any(String), resumeRequestedBy: null, openAtRestore: [] });
});

test('refunds open at the backup are listed, and what was tried is read at Invo before anything is sent again', async () => {
  const { support, finance, otherFinance } = testEnv.people;
  const guard = guardOf(newFolder());
  // Sent before the backup, without an answer.
  await testEnv.spoil({ kind: '503', times: 1 });
  const refundId = await game.ask(support);
  await game.settleDue();
  expect(await game.row()).toMatchObject({ state: expect.stringMatching(/waiting|unknown/), attempt_count: 1 });
  const backup = await mark();
  await guard.advance();
  await restore(backup);
  // What the lost database sent after the backup: Invo has it, this database doesn't.
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  expect(await guard.check()).toBe(true);
  expect(await pause()).toMatchObject({ openAtRestore: [{ refundId, amount_usd: '5.00' }] });
  await game.hurry();
  expect(await game.settleDue()).toBe(0);
  const callsBefore = (await testEnv.calls()).filter(({ path }) => path.endsWith('/refund')).length;

  expect(await resumeAsShown(game, finance)).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumeAsShown(game, finance)).toEqual({ ok: false, reason: 'same_person' });
  expect((await game.row()).state).toMatch(/waiting|unknown/);
  expect(await resumeAsShown(game, otherFinance)).toEqual({ ok: true, is: 'resumed' });
  expect((await game.row()).state).toBe('verifying');
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'looks_landed', attempt_count: 1 });
  expect((await testEnv.calls()).filter(({ path }) => path.endsWith('/refund'))).toHaveLength(callsBefore);
});

test('an approved refund that the lost database sent is not sent again: its period has changed', async () => {
  const { support, finance, otherFinance } = testEnv.people;
  await game.ask(support);
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  await reportRestore({ ...testEnv, folder: null, owner: 'command line' });
  await game.hurry();
  expect(await game.settleDue()).toBe(0);
  expect(await game.row()).toMatchObject({ state: 'approved', attempt_count: 0 });
  await resumeAsShown(game, finance);
  await resumeAsShown(game, otherFinance);
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'awaiting_approval', last_error_code: 'period_changed', attempt_count: 0 });
});

test('refunds stay paused while one from before the restore is being sent, and it is read, not sent again', async () => {
  const { support, finance, otherFinance } = testEnv.people;
  const refundId = await game.ask(support);
  // The process that sends it is lost with the database.
  const { store } = game.process('lost process');
  const job = await store.takeDue();
  if (job === null) throw new Error('no refund is due');
  await store.begin(job);
  await reportRestore({ ...testEnv, folder: null, owner: 'command line' });
  expect(await resumeAsShown(game, finance)).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumeAsShown(game, otherFinance)).toEqual({ ok: false, reason: 'still_sending' });
  expect(await pause()).toMatchObject({ openAtRestore: [{ refundId }] });
  await game.hurry();
  expect(await game.settleDue()).toBe(1);
  expect((await game.row()).state).toBe('unknown');
  expect(await resumeAsShown(game, otherFinance)).toEqual({ ok: true, is: 'resumed' });
  expect(await game.row()).toMatchObject({ state: 'verifying', attempt_count: 1 });
});
