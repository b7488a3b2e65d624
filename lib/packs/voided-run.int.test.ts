// @module-tag proof
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PackParts, partsOf, reseal, zipParts } from '#e2e/support/packs/change-pack.ts';
import { closeMonth, confirmVoidAsShown, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { debitOf, makeFileOfAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { chainAudit } from '#lib/audit/chain-audit.ts';
import { decideRow } from '#lib/payments/decide-row.ts';
import { findBatch } from '#lib/payments/reads/batches.ts';
import { recordReport } from '#lib/payments/record-report.ts';
import { PAYMENT_PATHS, type PackedListed } from '#lib/payments/rules/packed-payments.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import { requestVoid } from '#lib/payouts/decide-run.ts';
import { exportPack } from './export-pack.ts';
import { verifyPack } from './verify-pack.ts';

let testEnv: TestEnvironment;
let folder: string;
let bytes: Buffer;
let reference: string;

/** Run 1 is voided with a file that was uploaded all the same: a bank reports one payment of it, and the whole file. Run 2 replaces it. */
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  folder = await mkdtemp(path.join(tmpdir(), 'voided-'));
  const game = await testEnv.game();
  const { gameId } = game;
  const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  const people = { preparer: fiona, approver: ada };
  const first = await closeMonth(testEnv, people, '2026-08');
  const batchNo = await makeFileOfAll(game, people, first);
  await requestVoid(game, fiona, { runId: first.runId, why: 'Wrong minimum', isNotUploaded: true });
  expect(await confirmVoidAsShown(game, ada, first.runId)).toMatchObject({ ok: true });
  reference = formatPaymentReference({ gameId, runNo: 1, itemNo: 1 });
  const { messageId = '', total_file: total = '' } = (await findBatch(game.db, gameId, batchNo)) ?? {};
  for (const report of [reportOf([[reference, 'paid', '1.00', 'V1']]), debitOf(messageId, total, '2026-11-05')])
    expect(await recordReport(game, fiona, PAYEE_KEY, { bytes: report, fileName: 'v', dateOrder: null })).toMatchObject({ ok: true });
  const aside = { reportNo: 1, rowNo: 2, decision: 'set_aside', note: 'The bank reversed it' } as const;
  expect(await decideRow(game, fiona, aside)).toMatchObject({ ok: true });
  await closeMonth(testEnv, people, '2026-08');
  await chainAudit(testEnv.db);
  const pack = await exportPack(game, { runNo: 2 }, { takenBy: 'command line', accountsKey: PAYEE_KEY });
  if (!pack.ok) throw new Error(pack.reason);
  bytes = Buffer.concat(await Array.fromAsync(pack.pieces));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await testEnv.close();
});

async function find(parts: PackParts): Promise<string[]> {
  const file = path.join(folder, 'pack.zip');
  await writeFile(file, await zipParts(parts));
  return (await verifyPack(file)).violations.map(({ name }) => name);
}

function listedIn(parts: PackParts): PackedListed {
  return JSON.parse(parts.get(PAYMENT_PATHS.listed)?.toString() ?? '');
}

test('what banks report about a voided run, and what people decided, is in the pack of the run that replaced it', async () => {
  expect(await find(partsOf(bytes))).toEqual([]);
  expect(listedIn(partsOf(bytes))).toMatchObject({
    voided_runs: [{ run_no: 1 }],
    rows: [
      { report_no: 1, payment_reference: reference, problem: 'differs', decision: 'set_aside', note: 'The bank reversed it' },
      { report_no: 2, payment_reference: null, batch_no: 1, problem: 'not_handed_over', decision: null },
    ],
  });
});

test.each<[string, (listed: PackedListed) => PackedListed, string]>([
  ['the amount of a row', (listed) => ({ ...listed, rows: listed.rows.map((row) => ({ ...row, amount: '9.00' })) }), 'report_lists'],
  ['a removed row', (listed) => ({ ...listed, rows: listed.rows.slice(1) }), 'report_lists'],
  ['a removed row about a whole file', (listed) => ({ ...listed, rows: listed.rows.slice(0, 1) }), 'report_lists'],
  ['the payment of a row', (listed) => ({ ...listed, rows: listed.rows.map((row) => ({ ...row, item_no: 2 })) }), 'listed_payment'],
  ['the report of a row', (listed) => ({ ...listed, rows: listed.rows.map((row) => ({ ...row, report_no: 9 })) }), 'listed_report'],
  ['a note', (listed) => ({ ...listed, rows: listed.rows.map((row) => ({ ...row, note: 'It is ours' })) }), 'row_decided'],
  ['a decision', (listed) => ({ ...listed, rows: listed.rows.map((row) => ({ ...row, decision: null })) }), 'row_decided'],
  ['the voided run', (listed) => ({ ...listed, voided_runs: [] }), 'voided_runs'],
  ['a file of the voided run', (listed) => ({ ...listed, voided_runs: [{ run_id: 1, run_no: 1, batch_nos: [] }] }), 'listed_about'],
])('%s that was changed is named, although every digest fits again', async (_, change, name) => {
  const parts = partsOf(bytes);
  parts.set(PAYMENT_PATHS.listed, Buffer.from(`${JSON.stringify(change(listedIn(parts)), null, 2)}\n`));
  expect(await find(reseal(parts))).toContain(name);
});
