// @module-tag proof
// @module-tag no-retry
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { createLargeItems, type LargeRun, makeLargeFiles, seedLargeRun } from '#e2e/support/payments/large-run.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { compareMoney, sumMoney } from '../core/money.ts';
import { Findings } from '../evidence/rules/findings.ts';
import { handOver } from './hand-over.ts';
import { openFile } from './open-file.ts';
import { listBatches, listBatchItems } from './reads/batches.ts';
import { recordReport } from './record-report.ts';
import { findPaymentReferences } from './rules/payment-reference.ts';
import { verifyPaymentReports } from './verify-payment-reports.ts';
import { verifyPayments } from './verify-payments.ts';

let testDb: TestDb;
let large: LargeRun;

beforeAll(async () => {
  testDb = await createTestDb();
  large = await seedLargeRun(testDb, { paypal: 5_001, wise: 1_001 });
  await createLargeItems(large);
}, 300_000);
afterAll(() => testDb.close());

async function violations(): Promise<unknown[]> {
  const findings = new Findings();
  await verifyPayments(testDb.db, large.game.gameId, PAYEE_KEY, findings);
  await verifyPaymentReports(testDb.db, large.game.gameId, PAYEE_KEY, findings);
  return findings.violations;
}

test('5,001 PayPal and 1,001 Wise payments are in two files each, whose rows and totals are those of the run', {
  timeout: 300_000,
}, async () => {
  const { game, run, fiona } = large;
  for (const method of ['paypal', 'wise'] as const) expect(await makeLargeFiles(large, method)).toMatchObject({ ok: true });
  const files = await listBatches(testDb.db, game.gameId, run.runId);
  expect(files.map(({ method, itemCount, partNo, partCount }) => [method, itemCount, partNo, partCount])).toEqual([
    ['paypal', 5_000, 1, 2],
    ['paypal', 1, 2, 2],
    ['wise', 1_000, 1, 2],
    ['wise', 1, 2, 2],
  ]);
  expect(compareMoney(sumMoney(files.map(({ total_usd }) => total_usd)), run.totals.payable)).toBe(0);
  const seen = new Set<string>();
  for (const { batchNo, itemCount } of files) {
    const opened = await openFile(game, fiona, PAYEE_KEY, batchNo);
    if (!opened.ok) throw new Error(opened.reason);
    const references = findPaymentReferences(opened.bytes.toString('utf8'));
    expect([references.length, opened.manifest.payments]).toEqual([itemCount, itemCount]);
    for (const reference of references) seen.add(reference);
  }
  expect(seen.size).toBe(6_002);
  expect(await violations()).toEqual([]);
});

test('a report over four files confirms each equal row, and lists those that differ or are foreign', { timeout: 300_000 }, async () => {
  const { game, run, fiona } = large;
  const files = await listBatches(testDb.db, game.gameId, run.runId);
  for (const { batchNo } of files) expect(await handOver(game, fiona, { batchNo, providerReference: '' })).toEqual({ ok: true });
  const items = (await Promise.all(files.map((file) => listBatchItems(testDb.db, file)))).flat();
  // Of each thousand one was returned, and one differs by a cent: six of each.
  const rows = items.map(({ reference, amount }, index): [string, string, string, string] => [
    reference,
    index % 1_000 === 7 ? 'Returned' : 'Completed',
    index % 1_000 === 11 ? sumMoney([amount, '0.01']) : amount,
    `S${index}`,
  ]);
  const foreign = Array.from({ length: 40 }, (_, index): [string, string, string, string] => ['', 'Completed', '9.00', `F${index}`]);
  const started_ms = performance.now();
  const bytes = reportOf([...rows, ...foreign]);
  const recorded = await recordReport(game, fiona, PAYEE_KEY, { bytes, fileName: 'report.csv', dateOrder: null });
  const spent_s = (performance.now() - started_ms) / 1_000;
  expect(recorded).toMatchObject({
    ok: true,
    report: { result: '6,042 rows: 5,990 paid, 6 returned, 6 differ, 40 are not ours.', confirmedCount: 5_996, openCount: 46 },
  });
  const states = await testDb.pool.query('select state, count(*)::int as count from payout_item group by state order by state');
  expect(states.rows).toEqual([
    { state: 'paid', count: 5_990 },
    { state: 'returned', count: 6 },
    { state: 'sent', count: 6 },
  ]);
  expect(await violations()).toEqual([]);
  recordFigure('A report over four files of 6,002 payments', `6,042 rows, recorded in ${spent_s.toFixed(1)} s`);
});
