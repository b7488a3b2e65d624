import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeMonth, confirmVoidAsShown, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { debitOf, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { requestVoid } from '../payouts/decide-run.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { decideSender, proposeSender, showSender } from './change-sender.ts';
import { decideRow } from './decide-row.ts';
import { decideCancel, handOver, requestCancel } from './hand-over.ts';
import { makeFiles } from './make-files.ts';
import { openFile } from './open-file.ts';
import { proposeElsewhere } from './pay-elsewhere.ts';
import { listBatches } from './reads/batches.ts';
import { listPayments } from './reads/list-payments.ts';
import { listListedRows } from './reads/reports.ts';
import { sumWaiting } from './reads/waiting-items.ts';
import { recordReport } from './record-report.ts';
import { fileBlocker } from './rules/payment-blocker.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let gus: SessionActor;
let run: Run;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  game = await testEnv.game();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
  run = await closeMonth(testEnv, { preparer: fiona, approver: gus }, '2026-10');
});
afterAll(() => testEnv.close());

const waitingPaypal = async () => {
  const group = (await sumWaiting(game.db, run)).find(({ method }) => method === 'paypal');
  return { count: group?.count ?? 0, total_usd: group?.total_usd ?? '0.00' };
};
const requestFiles = async (changed: Record<string, unknown> = {}) => ({
  runId: run.runId,
  method: 'paypal',
  format: null,
  executionDate: null,
  note: 'Revenue share of October 2026',
  shown: await waitingPaypal(),
  ...changed,
});
const statesOf = async (): Promise<Record<string, number>> => {
  const { rows } = await testEnv.pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from payout_item where run_id = $1 group by state',
    [run.runId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};
const referenceOf = (itemNo: number): string => formatPaymentReference({ gameId: game.gameId, runNo: run.runNo, itemNo });
const amountOf = async (itemNo: number): Promise<string> => {
  const { rows } = await testEnv.pool.query('select amount_usd from payout_item where run_id = $1 and item_no = $2', [run.runId, itemNo]);
  return rows[0].amount_usd;
};
const debitOfFile = async (batchNo: number, total: string): Promise<Buffer> => {
  const { rows } = await testEnv.pool.query('select message_id from payout_batch where batch_no = $1', [batchNo]);
  return debitOf(rows[0].message_id, total, '2026-11-05');
};

describe('payments of an approved run', () => {
  test('are one for each line that pays, by recipient, and wait', async () => {
    const { rows } = await testEnv.pool.query(
      `select i.item_no, l.recipient_player_id = i.recipient_player_id as same, row_number() over (order by l.recipient_player_id)::int as no
       from payout_line l join payout_item i using (game_id, run_id, recipient_player_id) where l.run_id = $1 and l.payable_usd = i.amount_usd order by 1`,
      [run.runId],
    );
    expect(rows).toHaveLength(run.payableCount);
    expect(rows.every((row) => row['same'] && row['item_no'] === row['no'])).toBe(true);
    expect(await waitingPaypal()).toEqual({ count: run.payableCount, total_usd: run.totals.payable });
  });

  test('are in no file without a sender account that two people agreed on', async () => {
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles())).toMatchObject({
      reason: 'blocked',
      blockers: [{ reason: 'sender_missing' }],
    });
    const typed = { decimal_sign: '.', email_subject: 'Your revenue share' };
    expect(await proposeSender(game, fiona, null, { method: 'paypal', typed })).toEqual({ ok: false, reason: 'no_key' });
    expect(await proposeSender(game, fiona, PAYEE_KEY, { method: 'bitcoin', typed })).toEqual({ ok: false, reason: 'unknown_method' });
    const long = { ...typed, email_subject: 'x'.repeat(300) };
    expect(await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed: long })).toMatchObject({
      reason: 'invalid',
      blockers: [{ detail: 'email_subject' }],
    });
    const proposed = await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed });
    expect(proposed).toEqual({ ok: true, senderNo: 1 });
    expect(await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed })).toEqual({ ok: false, reason: 'another_waits' });
    expect(await decideSender(game, fiona, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' })).toEqual({
      ok: false,
      reason: 'same_person',
    });
    expect(await decideSender(game, gus, Buffer.alloc(32, 9), { senderNo: 1, decision: 'confirmed' })).toMatchObject({
      reason: 'other_key',
    });
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles())).toMatchObject({ reason: 'blocked' });
    expect(await decideSender(game, gus, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' })).toMatchObject({ ok: true });
    expect(await decideSender(game, gus, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' })).toEqual({ ok: false, reason: 'moved_on' });
    expect(await showSender(game, fiona, PAYEE_KEY, 1)).toEqual({ ok: true, entries: typed });
  });

  test('are all in one file or none, the same bytes on every download, and no account is readable in the database', async () => {
    expect(await makeFiles(game, fiona, null, await requestFiles())).toEqual({ ok: false, reason: 'no_key' });
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles({ shown: { count: 1, total_usd: '1.00' } }))).toEqual({
      ok: false,
      reason: 'changed',
    });
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles({ note: '=1+1' }))).toMatchObject({
      reason: 'blocked',
      blockers: [{ reason: 'note_is_formula' }],
    });
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles({ note: 'To DE89370400440532013000' }))).toMatchObject({
      reason: 'blocked',
      blockers: [{ reason: 'note_names_account' }],
    });
    expect(await makeFiles(game, fiona, PAYEE_KEY, await requestFiles({ format: 'wise' }))).toEqual({ ok: false, reason: 'unknown' });
    const sandbox = { ...game, environment: 'sandbox' } as const;
    expect(await makeFiles(sandbox, fiona, PAYEE_KEY, await requestFiles())).toEqual({
      ok: false,
      reason: 'blocked',
      blockers: [fileBlocker('sandbox')],
    });
    const elsewhere = { runId: run.runId, itemNos: [1], paidOn: game.now().slice(0, 10), note: 'By the bank' };
    for (const paidOn of ['2020-12-25', '2026-08-31'])
      expect(await proposeElsewhere(game, fiona, { ...elsewhere, paidOn })).toEqual({ ok: false, reason: 'too_early' });
    expect(await proposeElsewhere(sandbox, fiona, elsewhere)).toEqual({ ok: false, reason: 'sandbox' });
    expect(await statesOf()).toEqual({ waiting: run.payableCount });
    const made = await makeFiles(game, fiona, PAYEE_KEY, await requestFiles());
    if (!made.ok) throw new Error(JSON.stringify(made));
    expect(made.files).toEqual([
      {
        batchNo: 1,
        fileName: `demo-2026-10-run${run.runNo}-paypal.csv`,
        format: 'paypal_web',
        count: run.payableCount,
        total_usd: run.totals.payable,
      },
    ]);
    expect(await statesOf()).toEqual({ in_file: run.payableCount });
    const [one, other] = [await openFile(game, gus, PAYEE_KEY, 1), await openFile(game, fiona, PAYEE_KEY, 1)];
    if (!one.ok || !other.ok) throw new Error('no file');
    expect(one.bytes.equals(other.bytes)).toBe(true);
    const lines = one.bytes.toString('utf8').trimEnd().split('\r\n');
    expect(lines).toHaveLength(run.payableCount);
    const first = formatPaymentReference({ gameId: game.gameId, runNo: run.runNo, itemNo: 1 });
    expect(lines[0]).toMatch(new RegExp(`^payee-\\d+@creators\\.example,\\d+\\.\\d\\d,USD,${first},Revenue share of October 2026,PAYPAL$`));
    expect(one.manifest).toMatchObject({
      payments: run.payableCount,
      total_usd: run.totals.payable,
      first_reference: first,
      sha256: one.sha256,
    });
    expect(await openFile(game, gus, Buffer.alloc(32, 9), 1)).toEqual({ ok: false, reason: 'unreadable' });
    const downloads = await testEnv.pool.query(`select 1 from audit where act = 'downloaded a payment file'`);
    expect(downloads.rowCount, 'a file that didn’t open wasn’t downloaded').toBe(2);
    expect(await makeFiles(game, gus, PAYEE_KEY, await requestFiles())).toMatchObject({
      reason: 'blocked',
      blockers: [{ reason: 'no_payments' }],
    });
  });

  test('of a cancelled file get new payments with new references, by two people and before its hand-over', async () => {
    const stated = { batchNo: 1, isNotUploaded: true };
    expect(await requestCancel(game, fiona, { ...stated, reason: ' ' })).toEqual({ ok: false, reason: 'missing' });
    expect(await requestCancel(game, fiona, { ...stated, reason: 'Wrong note', isNotUploaded: false })).toEqual({
      ok: false,
      reason: 'not_stated',
    });
    expect(await requestCancel(game, fiona, { ...stated, reason: 'Wrong note' })).toEqual({ ok: true });
    expect(await handOver(game, gus, { batchNo: 1, providerReference: '' })).toEqual({ ok: false, reason: 'cancel_requested' });
    expect(await openFile(game, gus, PAYEE_KEY, 1)).toEqual({ ok: false, reason: 'cancel_requested' });
    const shown = { batchNo: 1, requesterId: fiona.id, reason: 'Wrong note' };
    const [agreed, discarded] = [{ isAgreed: true, isNotUploaded: true }, { isAgreed: false }] as const;
    expect(await decideCancel(game, fiona, shown, agreed)).toEqual({ ok: false, reason: 'same_person' });
    expect(await decideCancel(game, gus, { ...shown, requesterId: gus.id }, agreed)).toEqual({ ok: false, reason: 'not_as_shown' });
    expect(await decideCancel(game, gus, { ...shown, reason: 'Another' }, agreed)).toEqual({ ok: false, reason: 'not_as_shown' });
    expect(await decideCancel(game, gus, shown, { ...agreed, isNotUploaded: false })).toEqual({ ok: false, reason: 'not_stated' });
    expect(await decideCancel(game, fiona, shown, discarded)).toEqual({ ok: true });
    expect(await decideCancel(game, gus, shown, agreed)).toEqual({ ok: false, reason: 'moved_on' });
    await requestCancel(game, fiona, { ...stated, reason: 'Wrong note' });
    expect(await decideCancel(game, gus, shown, agreed)).toEqual({ ok: true });
    expect(await statesOf()).toEqual({ cancelled: run.payableCount, waiting: run.payableCount });
    expect(await handOver(game, gus, { batchNo: 1, providerReference: '' })).toEqual({ ok: false, reason: 'moved_on' });
    expect(await openFile(game, gus, PAYEE_KEY, 1)).toEqual({ ok: false, reason: 'cancelled' });
    const scope = { gameId: game.gameId, runId: run.runId, runNo: run.runNo, canSeeEmails: true };
    const page = { sort: 'payment_reference', dir: 'asc' as const, after: null, limit: 1, withTotal: true };
    for (const chip of ['all', 'waiting', 'cancelled', 'paid']) {
      const { total } = await listPayments(testEnv.db, scope, { page, find: '', chip });
      const [times, usd] = chip === 'all' ? [2, run.totals.payable] : chip === 'paid' ? [0, '0.00'] : [1, run.totals.payable];
      expect(total, chip).toEqual({ count: times * run.payableCount, sums: { amount_usd: usd } });
    }
  });

  test('of a cancelled file that a bank reports as paid block a void and new files until a person decides the row', async () => {
    const total = run.totals.payable;
    const voiding = { runId: run.runId, why: 'Wrong month', isNotUploaded: true };
    const reports = [reportOf([[referenceOf(1), 'Completed', await amountOf(1), 'B0']]), await debitOfFile(1, total)];
    const all = Array.from({ length: run.payableCount }, (_, index) => run.payableCount + 1 + index);
    for (const [index, bytes] of reports.entries()) {
      expect(await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: null, dateOrder: null })).toMatchObject({
        report: { result: '1 row: 1 is of a file that wasn’t handed over.' },
      });
      const refused = await makeFiles(game, gus, PAYEE_KEY, await requestFiles());
      const blockers = (index === 0 ? all.slice(0, 1) : all).map((itemNo) => ({ reason: 'reported_paid', item: { itemNo } }));
      expect(refused).toMatchObject({ ok: false, blockers });
      expect(await requestVoid(game, fiona, voiding)).toEqual({ ok: false, reason: 'reported_paid' });
      const { rows: alarms } = await testEnv.pool.query(
        `select run_no, amount_usd, recipient_count from notice where kind = 'payment_alarm'`,
      );
      expect(alarms).toContainEqual({ run_no: run.runNo, amount_usd: index === 0 ? await amountOf(1) : total, recipient_count: 1 });
      const row = { reportNo: index + 1, rowNo: index === 0 ? 2 : 1, decision: 'set_aside', note: 'Another payment' } as const;
      expect(await decideRow(game, fiona, row)).toMatchObject({ ok: true });
    }
  });

  test('of a cancelled file enter another file, which is numbered and no re-issue', async () => {
    const again = await makeFiles(game, gus, PAYEE_KEY, await requestFiles());
    if (!again.ok) throw new Error(JSON.stringify(again));
    expect(again.files).toMatchObject([{ batchNo: 2, fileName: `demo-2026-10-run${run.runNo}-paypal-file2.csv`, count: run.payableCount }]);
    const file = await openFile(game, gus, PAYEE_KEY, 2);
    const first_reference = formatPaymentReference({ gameId: game.gameId, runNo: run.runNo, itemNo: run.payableCount + 1 });
    expect(file.ok && file.manifest).toMatchObject({ first_reference, reissue: null });
  });

  test('of a file that a bank reports as paid can’t be cancelled, nor their run voided, until a person decided the row', {
    tags: 'proof',
  }, async () => {
    const itemNo = run.payableCount + 1;
    const refused = { ok: false, reason: 'reported_paid' };
    const voiding = { runId: run.runId, why: 'Wrong month', isNotUploaded: true };
    for (const bytes of [reportOf([[referenceOf(itemNo), 'Completed', await amountOf(itemNo), 'B2']]), await debitOfFile(2, '0.35')]) {
      await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: null, dateOrder: null });
      expect(await requestCancel(game, fiona, { batchNo: 2, reason: 'Wrong note', isNotUploaded: true })).toEqual(refused);
      expect(await openFile(game, gus, PAYEE_KEY, 2), 'two uploads pay twice').toEqual(refused);
      expect(await requestVoid(game, fiona, voiding)).toMatchObject(refused);
      for (const { reportNo, rowNo } of await listListedRows(game.db, game.gameId, { isOpen: true }))
        await decideRow(game, fiona, { reportNo, rowNo, decision: 'set_aside', note: 'Another payment, by the bank’s answer' });
    }
    expect(await requestVoid(game, fiona, { ...voiding, isNotUploaded: false })).toMatchObject({ ok: false, reason: 'not_stated' });
  });

  test('of a file from before a restore aren’t downloaded: it may have been uploaded since the backup', async () => {
    const opened = await withTampering(
      testEnv.pool,
      async (client) => {
        await client.query(
          `with restored as (insert into database_restore (found_by, lineage, step) values ('worker 1', gen_random_uuid(), 1) returning restore_no)
             insert into payout_pause (game_id, restore_no, resumed_at, resumed_by, resume_requested_by) select $1, restore_no, clock_now(), $2, $3 from restored`,
          [game.gameId, gus.id, fiona.id],
        );
      },
      (db) => openFile({ ...game, db }, gus, PAYEE_KEY, 2),
    );
    expect(opened).toEqual({ ok: false, reason: 'restored' });
  });

  test('that were handed over can neither be cancelled nor their run voided', { tags: 'proof' }, async () => {
    expect(await requestVoid(game, fiona, { runId: run.runId, why: 'Wrong month', isNotUploaded: true })).toMatchObject({ ok: true });
    expect(await openFile(game, gus, PAYEE_KEY, 2)).toEqual({ ok: false, reason: 'void_requested' });
    expect(await makeFiles(game, gus, PAYEE_KEY, await requestFiles())).toEqual({ ok: false, reason: 'void_requested' });
    expect(await handOver(game, fiona, { batchNo: 2, providerReference: 'x'.repeat(101) })).toEqual({ ok: false, reason: 'too_long' });
    expect(await handOver(game, fiona, { batchNo: 2, providerReference: 'PB-77' })).toEqual({ ok: true });
    expect(await handOver(game, fiona, { batchNo: 2, providerReference: 'PB-77' })).toEqual({ ok: true });
    expect(await handOver(game, gus, { batchNo: 2, providerReference: 'PB-78' })).toEqual({ ok: false, reason: 'moved_on' });
    expect(await confirmVoidAsShown(game, gus, run.runId)).toEqual({ ok: false, reason: 'handed_over' });
    expect(await requestCancel(game, fiona, { batchNo: 2, reason: 'Late', isNotUploaded: true })).toEqual({
      ok: false,
      reason: 'moved_on',
    });
    expect(await statesOf()).toEqual({ cancelled: run.payableCount, sent: run.payableCount });
    await expect(
      testEnv.pool.query(
        `update payout_run set state = 'void', void_reason = 'x', void_requested_by = $1, voided_by = $2, voided_at = now() where run_id = $3`,
        [fiona.id, gus.id, run.runId],
      ),
    ).rejects.toThrow('not voided after a hand-over');
    expect((await listBatches(game.db, game.gameId, run.runId)).map(({ state, providerReference }) => [state, providerReference])).toEqual([
      ['cancelled', null],
      ['handed_over', 'PB-77'],
    ]);
  });
});
