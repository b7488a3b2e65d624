import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { createLargeItems, makeLargeFiles, seedLargeRun } from '#e2e/support/payments/large-run.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { handOver } from '#lib/payments/hand-over.ts';
import { listBatches, listBatchItems } from '#lib/payments/reads/batches.ts';
import { previewReport } from '#lib/payments/record-report.ts';
import { verifyPayments } from '#lib/payments/verify-payments.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { YOUNG_OBJECTS } from '#lib/start/serve.ts';

// How long the payment files of a run of many recipients take to be made and verified, and a bank report of twice as many rows to be matched; and how much the process
// grows meanwhile. `node e2e/bench/payment-run.ts [payments]`: 100,000 by default. Prints JSON. Needs no network. With the flags of the web process, as `payout-run.ts`.

if (!process.execArgv.includes(YOUNG_OBJECTS))
  process.exit(spawnSync(process.execPath, [YOUNG_OBJECTS, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1);

const COUNT = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
const server = await startPostgres({ folder });
try {
  const url = server.databaseUrl('payments');
  await migrateDatabase((await server.openDatabase('payments')).migrate);
  const open = openWithPool(url);
  const large = await seedLargeRun(open, { paypal: COUNT, wise: 0 });
  const { game, run, fiona } = large;
  const created = await measured(() => createLargeItems(large));
  await open.pool.query('analyze');
  const made = await measured(async () => {
    const files = await makeLargeFiles(large, 'paypal');
    if (!files.ok) throw new Error(JSON.stringify(files).slice(0, 500));
  });
  const findings = new Findings();
  const verified = await measured(() => verifyPayments(open.db, game.gameId, PAYEE_KEY, findings));
  if (findings.violations.length > 0) throw new Error(JSON.stringify(findings.violations.slice(0, 3)));
  const batches = await listBatches(open.db, game.gameId, run.runId);
  for (const { batchNo } of batches) await handOver(game, fiona, { batchNo, providerReference: '' });
  const bytes = await reportOf(batches);
  let sentence = '';
  const matched = await measured(async () => {
    const previewed = await previewReport(open.db, game.gameId, PAYEE_KEY, { bytes, fileName: 'report.csv', dateOrder: null });
    if (!previewed.ok) throw new Error(JSON.stringify(previewed));
    sentence = previewed.preview.result;
  });
  const figures = {
    payments: COUNT,
    files: batches.length,
    created_s: created.s,
    made_s: made.s,
    verified_s: verified.s,
    files_growth_MB: Math.max(made.growth_MB, verified.growth_MB),
    report: sentence,
    matched_s: matched.s,
    report_growth_MB: matched.growth_MB,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await open.close();

  /** Each payment with a row that pays it, and as many rows of others. */
  async function reportOf(files: typeof batches): Promise<Buffer> {
    const items = (await Promise.all(files.map((batch) => listBatchItems(open.db, batch)))).flat();
    const lines = items.flatMap(({ reference, amount }, index) => [
      `${reference},Completed,${amount},USD,P${index},2026-11-05`,
      `,Completed,${amount},USD,F${index},2026-11-05`,
    ]);
    return Buffer.from(['reference,status,amount,currency,provider_id,date', ...lines, ''].join('\n'));
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measured(work: () => Promise<unknown>): Promise<{ s: number; growth_MB: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const started_at = performance.now();
  await work();
  const s = (performance.now() - started_at) / 1000;
  clearInterval(watch);
  return { s, growth_MB: (peak - before) / 2 ** 20 };
}
